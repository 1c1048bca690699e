//! Serves a player over HTTP: one game after another, one client or several in turn. Connections have threads of their
//! own, so that an idle one keeps nobody out; the player answers one call at a time, and stops thinking about a call whose caller has left.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::avalam::Engine;
use super::http::{HttpError, Timed, is_timeout, read_request, response};

/// Where calls go; clients disagree about which of the two is the default.
const PATHS: &[&str] = &["/RPC2", "/"];
/// Connections at a time. A referee needs one.
const MOST_CONNECTIONS: usize = 64;
/// How often somebody looks whether it is time to stop.
const GLANCE: Duration = Duration::from_millis(100);

/// How long a connection may keep its place.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// Between two calls: the opponent may think for as long as its time lasts.
    pub idle: Duration,
    /// A message, from its first byte to its last; the first message of a connection, from its beginning; and silence while no place is
    /// free.
    pub message: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { idle: Duration::from_secs(3600), message: Duration::from_secs(10) }
    }
}

/// A place to listen at.
pub struct Server {
    listener: TcpListener,
    patience: Patience,
}

struct Shared {
    engine: Mutex<Engine>,
    connections: AtomicUsize,
    stopped: AtomicBool,
    patience: Patience,
}

impl Server {
    /// Listens at an address; port 0 is any that is free.
    ///
    /// # Errors
    /// The address is not ours, or the port is taken.
    pub fn bind(address: &str, port: u16) -> io::Result<Self> {
        let address = address.trim_start_matches('[').trim_end_matches(']');
        Ok(Self { listener: TcpListener::bind((address, port))?, patience: Patience::default() })
    }

    /// With other patience.
    #[must_use]
    pub fn with_patience(self, patience: Patience) -> Self {
        Self { patience, ..self }
    }

    /// Where it listens.
    ///
    /// # Errors
    /// The system does not say.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers calls until told to stop. A call that is being answered then is not waited for.
    ///
    /// # Errors
    /// The system does not let us listen.
    pub fn serve(self, engine: Engine, stop: &dyn Fn() -> bool) -> io::Result<()> {
        self.listener.set_nonblocking(true)?;
        let shared = Arc::new(Shared {
            engine: Mutex::new(engine),
            connections: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
            patience: self.patience,
        });
        while !stop() {
            match self.listener.accept() {
                Ok((stream, _)) => welcome(stream, &shared),
                // Nobody is there, or the system is short of something: neither is a reason to give up.
                Err(_) => thread::sleep(Duration::from_millis(5)),
            }
        }
        shared.stopped.store(true, Ordering::Relaxed);
        Ok(())
    }
}

fn welcome(stream: TcpStream, shared: &Arc<Shared>) {
    // On some systems it inherits what the listener is. A connection that fails already is no loss.
    let prepared = stream.set_nonblocking(false).is_ok()
        && stream.set_nodelay(true).is_ok()
        && stream.set_write_timeout(Some(shared.patience.message)).is_ok();
    if !prepared {
        return;
    }
    let guest = Guest(Arc::clone(shared));
    if shared.connections.fetch_add(1, Ordering::Relaxed) >= MOST_CONNECTIONS {
        let _ = (&stream).write_all(&response(503, "text/plain", "too many connections\n", false));
        return;
    }
    let talking = move || {
        // A broken connection is the client's loss, and all there is to say about it.
        let _ = talk(&stream, &guest.0);
        drop(guest);
    };
    // Without a thread the connection is closed, and counted out, as the closure is dropped.
    let _ = thread::Builder::new().spawn(talking);
}

/// A connection that counts, until it is dropped.
struct Guest(Arc<Shared>);

impl Drop for Guest {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

fn talk(mut stream: &TcpStream, shared: &Shared) -> io::Result<()> {
    let message = shared.patience.message;
    let mut reader = BufReader::new(Timed::new(stream.try_clone()?, message));
    let first = Instant::now() + message;
    for number in 0.. {
        if !wait(&mut reader, shared, number == 0)? {
            return Ok(());
        }
        // However slowly they drip, the bytes of a message have its time; those of the first began with the connection.
        reader.get_mut().until(if number == 0 { first } else { Instant::now() + message });
        let mut go_on = || (&mut &*stream).write_all(b"HTTP/1.1 100 Continue\r\n\r\n");
        match read_request(&mut reader, PATHS, &mut go_on) {
            Ok(None) => return Ok(()),
            Ok(Some(request)) => {
                let answer = answer(stream, shared, &request.body);
                stream.write_all(&response(200, "text/xml", &answer, request.keep_alive))?;
                if !request.keep_alive {
                    return leave(stream, reader);
                }
            }
            Err(HttpError::Io(error)) => return Err(error),
            Err(HttpError::Refused(status, message)) => {
                // Where the next message would begin is not known any more.
                stream.write_all(&response(status, "text/plain", &format!("{message}\n"), false))?;
                return leave(stream, reader);
            }
        }
    }
    Ok(())
}

/// The answer to a call. When its caller leaves, or the server ends, thinking ends with the best move so far: nobody else waits for it.
fn answer(stream: &TcpStream, shared: &Shared, call: &[u8]) -> String {
    let (stop, done) = (Arc::new(AtomicBool::new(false)), AtomicBool::new(false));
    let watch = || {
        while !done.load(Ordering::Relaxed) {
            if shared.stopped.load(Ordering::Relaxed) || has_left(stream) {
                stop.store(true, Ordering::Relaxed);
                return;
            }
            thread::park_timeout(GLANCE);
        }
    };
    thread::scope(|scope| {
        // Without a thread nobody looks, and the call is answered all the same.
        let watcher = thread::Builder::new().spawn_scoped(scope, watch);
        let answer = shared.engine.lock().unwrap_or_else(PoisonError::into_inner).answer(call, &stop);
        done.store(true, Ordering::Relaxed);
        if let Ok(watcher) = watcher {
            watcher.thread().unpark();
        }
        answer
    })
}

/// Whether the other side has closed the connection, or its half of it: those who send and do not listen look the same.
fn has_left(stream: &TcpStream) -> bool {
    let peeked = stream.set_read_timeout(Some(Duration::from_millis(1))).and_then(|()| stream.peek(&mut [0]));
    match peeked {
        Ok(bytes) => bytes == 0,
        Err(error) => !is_timeout(&error) && error.kind() != io::ErrorKind::Interrupted,
    }
}

/// Waits for the first byte of a message; false if there will be none.
fn wait(reader: &mut BufReader<Timed>, shared: &Shared, is_first: bool) -> io::Result<bool> {
    let begun = Instant::now();
    loop {
        reader.get_mut().allow(GLANCE);
        match reader.fill_buf() {
            Ok(bytes) => return Ok(!bytes.is_empty()),
            Err(error) if is_timeout(&error) || error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        let is_full = shared.connections.load(Ordering::Relaxed) >= MOST_CONNECTIONS;
        let patience = if is_first || is_full { shared.patience.message } else { shared.patience.idle };
        if shared.stopped.load(Ordering::Relaxed) || begun.elapsed() > patience {
            return Ok(false);
        }
    }
}

/// Closes a connection so that the last answer arrives: one that is closed with bytes unread is reset, and the answer lost.
fn leave(stream: &TcpStream, mut reader: BufReader<Timed>) -> io::Result<()> {
    const MOST_IGNORED: u64 = 4 * 1024 * 1024;
    stream.shutdown(Shutdown::Write)?;
    reader.get_mut().allow(Duration::from_secs(1));
    io::copy(&mut reader.take(MOST_IGNORED), &mut io::sink())?;
    Ok(())
}
