/* Counts what a program does to files and breaks one operation of them, for tests: loaded with LD_PRELOAD.
 *
 *   FAULT_COUNT=FILE   writes how many operations there were
 *   FAULT_KILL=N       the program is killed in place of its operation N (from 1); of a write, half is done before
 *   FAULT_FULL=N       from operation N on the disk is full: whatever needs room fails with ENOSPC, after half of the first write
 *   FAULT_UNDER=PATH   only files below this path count, so that terminals, pipes and what the system keeps do not
 *
 * An operation is whatever changes what is on the disk: opening for writing, writing, truncating, syncing, renaming, linking, removing,
 * making a folder. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long done;

static long number(const char *name) {
    const char *text = getenv(name);
    return text ? atol(text) : 0;
}

static int below(const char *path) {
    const char *under = getenv("FAULT_UNDER");
    if (!under) return 1;
    char whole[PATH_MAX];
    if (path[0] != '/') {
        if (!getcwd(whole, sizeof whole)) return 0;
        size_t length = strlen(whole);
        snprintf(whole + length, sizeof whole - length, "/%s", path);
        path = whole;
    }
    return strncmp(path, under, strlen(under)) == 0;
}

static int open_below(int fd) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    struct stat info;
    return fstat(fd, &info) == 0 && (S_ISREG(info.st_mode) || S_ISDIR(info.st_mode)) && below(path);
}

enum fate { GO_ON, HALF_THEN_DIE, FULL, HALF_THEN_FULL };

/* What becomes of the next operation. Without a half that could be done the program dies here. */
static enum fate next(int has_half, int needs_room) {
    long now = atomic_fetch_add(&done, 1) + 1;
    if (now == number("FAULT_KILL")) {
        if (has_half) return HALF_THEN_DIE;
        kill(getpid(), SIGKILL);
    }
    long full = number("FAULT_FULL");
    if (full && now >= full && needs_room) return has_half && now == full ? HALF_THEN_FULL : FULL;
    return GO_ON;
}

static void die(void) {
    kill(getpid(), SIGKILL);
    pause();
}

__attribute__((destructor)) static void tell(void) {
    const char *path = getenv("FAULT_COUNT");
    if (!path) return;
    FILE *file = fopen(path, "we");
    if (file) {
        fprintf(file, "%ld\n", atomic_load(&done));
        fclose(file);
    }
}

#define REAL(name) \
    static __typeof__(name) *real; \
    if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

#define FAIL_IF_FULL(fate) \
    if ((fate) == FULL || (fate) == HALF_THEN_FULL) { errno = ENOSPC; return -1; }

static mode_t mode_of(int flags, va_list rest) {
    return flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0;
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        REAL(name); \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = mode_of(flags, rest); \
        va_end(rest); \
        if (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC) && below(path)) { \
            enum fate fate = next(0, flags & O_CREAT); \
            FAIL_IF_FULL(fate) \
        } \
        return real(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
    int name(int folder, const char *path, int flags, ...) { \
        REAL(name); \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = mode_of(flags, rest); \
        va_end(rest); \
        if (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC) && below(path)) { \
            enum fate fate = next(0, flags & O_CREAT); \
            FAIL_IF_FULL(fate) \
        } \
        return real(folder, path, flags, mode); \
    }
OPENAT(openat)
OPENAT(openat64)

ssize_t write(int fd, const void *bytes, size_t count) {
    REAL(write);
    if (!open_below(fd)) return real(fd, bytes, count);
    switch (next(1, 1)) {
    case GO_ON: return real(fd, bytes, count);
    case HALF_THEN_DIE: real(fd, bytes, count / 2); die(); return -1;
    case HALF_THEN_FULL:
        if (count / 2 > 0) return real(fd, bytes, count / 2);
        break;
    case FULL: break;
    }
    errno = ENOSPC;
    return -1;
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    REAL(writev);
    if (open_below(fd)) {
        enum fate fate = next(0, 1);
        FAIL_IF_FULL(fate)
    }
    return real(fd, parts, count);
}

#define PWRITE(name, offset_type) \
    ssize_t name(int fd, const void *bytes, size_t count, offset_type offset) { \
        REAL(name); \
        if (!open_below(fd)) return real(fd, bytes, count, offset); \
        switch (next(1, 1)) { \
        case GO_ON: return real(fd, bytes, count, offset); \
        case HALF_THEN_DIE: real(fd, bytes, count / 2, offset); die(); return -1; \
        default: errno = ENOSPC; return -1; \
        } \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define ON_OPEN_FILE(name, parameters, arguments, fd, needs_room) \
    int name parameters { \
        REAL(name); \
        if (open_below(fd)) { \
            enum fate fate = next(0, needs_room); \
            FAIL_IF_FULL(fate) \
        } \
        return real arguments; \
    }
ON_OPEN_FILE(ftruncate, (int fd, off_t size), (fd, size), fd, 0)
ON_OPEN_FILE(ftruncate64, (int fd, off64_t size), (fd, size), fd, 0)
ON_OPEN_FILE(fsync, (int fd), (fd), fd, 1)
ON_OPEN_FILE(fdatasync, (int fd), (fd), fd, 1)

#define ON_PATH(name, parameters, arguments, path, needs_room) \
    int name parameters { \
        REAL(name); \
        if (below(path)) { \
            enum fate fate = next(0, needs_room); \
            FAIL_IF_FULL(fate) \
        } \
        return real arguments; \
    }
ON_PATH(rename, (const char *from, const char *to), (from, to), to, 0)
ON_PATH(renameat, (int a, const char *from, int b, const char *to), (a, from, b, to), to, 0)
ON_PATH(link, (const char *from, const char *to), (from, to), to, 1)
ON_PATH(linkat, (int a, const char *from, int b, const char *to, int flags), (a, from, b, to, flags), to, 1)
ON_PATH(unlink, (const char *path), (path), path, 0)
ON_PATH(unlinkat, (int folder, const char *path, int flags), (folder, path, flags), path, 0)
ON_PATH(rmdir, (const char *path), (path), path, 0)
ON_PATH(mkdir, (const char *path, mode_t mode), (path, mode), path, 1)
