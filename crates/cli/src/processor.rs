//! Whether this processor has what the program was built with. A build is for the processor at hand (`.cargo/config.toml`); on an older
//! one it would die of an illegal instruction, without a word.
//!
//! All code here was built for the newer processor too, so that it keeps to what every processor has: masks in place of shifts, no
//! arrays to fill, no formatting. `is_x86_feature_detected!` is of no use, since it does not ask about what the build takes for granted.

use std::arch::x86_64::{__cpuid, __cpuid_count, CpuidResult};
use std::io::{Write, stderr};

/// Where the processor tells of a feature: leaf and part of its answer, the letter of the register, and the bit.
type Place = (u32, u32, char, u32);

struct Feature {
    name: &'static str,
    /// Whether the build takes it for granted.
    needed: bool,
    place: Place,
}

/// `"name" register(leaf, part) bit` of each.
macro_rules! features {
    ($($name:literal $register:literal($leaf:literal, $part:literal) $bit:literal)*) => {
        [$(Feature {
            name: $name,
            needed: cfg!(target_feature = $name),
            place: ($leaf, $part, $register, 1 << $bit),
        }),*]
    };
}

/// What compilers use, by the manuals of Intel (volume 2A, CPUID) and AMD (volume 3, appendix E).
static FEATURES: [Feature; 43] = features! {
    "sse3" 'c'(1, 0) 0
    "pclmulqdq" 'c'(1, 0) 1
    "ssse3" 'c'(1, 0) 9
    "fma" 'c'(1, 0) 12
    "cmpxchg16b" 'c'(1, 0) 13
    "sse4.1" 'c'(1, 0) 19
    "sse4.2" 'c'(1, 0) 20
    "movbe" 'c'(1, 0) 22
    "popcnt" 'c'(1, 0) 23
    "aes" 'c'(1, 0) 25
    "xsave" 'c'(1, 0) 26
    "avx" 'c'(1, 0) 28
    "f16c" 'c'(1, 0) 29
    "rdrand" 'c'(1, 0) 30
    "bmi1" 'b'(7, 0) 3
    "avx2" 'b'(7, 0) 5
    "bmi2" 'b'(7, 0) 8
    "avx512f" 'b'(7, 0) 16
    "avx512dq" 'b'(7, 0) 17
    "rdseed" 'b'(7, 0) 18
    "adx" 'b'(7, 0) 19
    "avx512ifma" 'b'(7, 0) 21
    "avx512cd" 'b'(7, 0) 28
    "sha" 'b'(7, 0) 29
    "avx512bw" 'b'(7, 0) 30
    "avx512vl" 'b'(7, 0) 31
    "avx512vbmi" 'c'(7, 0) 1
    "avx512vbmi2" 'c'(7, 0) 6
    "gfni" 'c'(7, 0) 8
    "vaes" 'c'(7, 0) 9
    "vpclmulqdq" 'c'(7, 0) 10
    "avx512vnni" 'c'(7, 0) 11
    "avx512bitalg" 'c'(7, 0) 12
    "avx512vpopcntdq" 'c'(7, 0) 14
    "avx512vp2intersect" 'd'(7, 0) 8
    "avx512fp16" 'd'(7, 0) 23
    "avxvnni" 'a'(7, 1) 4
    "avx512bf16" 'a'(7, 1) 5
    "xsaveopt" 'a'(13, 1) 0
    "xsavec" 'a'(13, 1) 1
    "xsaves" 'a'(13, 1) 3
    "lzcnt" 'c'(0x8000_0001, 0) 5
    "sse4a" 'c'(0x8000_0001, 0) 6
};

/// Ends the program with one line if the processor lacks a feature that it was built with. To be called before all else.
#[inline(never)]
pub fn check() {
    if lacking(&FEATURES, has).next().is_none() {
        return;
    }
    say("evalforge: built for a newer processor: this one lacks");
    for name in lacking(&FEATURES, has) {
        say(" ");
        say(name);
    }
    say("; RUSTFLAGS='-C target-cpu=x86-64' cargo build --release makes a program for all\n");
    std::process::exit(1);
}

/// Nothing is left to be done if standard error is closed.
fn say(text: &str) {
    let _ = stderr().write_all(text.as_bytes());
}

/// The names of the features that are needed and not there.
fn lacking(features: &[Feature], has: fn(Place) -> bool) -> impl Iterator<Item = &'static str> {
    let lacks = move |feature: &&Feature| feature.needed && !has(feature.place);
    features.iter().filter(lacks).map(|feature| feature.name)
}

/// What the processor says; no where it knows no such leaf, or it would tell of another.
#[inline(never)]
fn has((leaf, part, register, bit): Place) -> bool {
    leaf <= __cpuid(leaf & 0x8000_0000).eax && of(&__cpuid_count(leaf, part), register) & bit != 0
}

#[inline(always)]
fn of(answer: &CpuidResult, register: char) -> u32 {
    match register {
        'a' => answer.eax,
        'b' => answer.ebx,
        'c' => answer.ecx,
        _ => answer.edx,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The features of a build.
    fn needing(needed: &[&str]) -> Vec<Feature> {
        let one = |feature: &Feature| Feature { needed: needed.contains(&feature.name), ..*feature };
        FEATURES.iter().map(one).collect()
    }

    /// The first processor with AVX2, as far as the features below go.
    fn haswell((leaf, part, register, bit): Place) -> bool {
        let [eax, ebx, ecx, edx] = match (leaf, part) {
            (1, 0) => [0, 0, 0x7ffa_fbff, 0],
            (7, 0) => [0, 0x0000_27ab, 0, 0],
            (0x8000_0001, 0) => [0, 0, 0x21, 0],
            _ => [0; 4],
        };
        of(&CpuidResult { eax, ebx, ecx, edx }, register) & bit != 0
    }

    #[test]
    fn what_is_lacking_is_named() {
        let lacks = |needed: &[&str]| lacking(&needing(needed), haswell).collect::<Vec<_>>();
        assert!(
            lacks(&["sse4.2", "popcnt", "avx", "avx2", "bmi1", "bmi2", "fma", "lzcnt", "f16c"]).is_empty()
        );
        assert_eq!(lacks(&["avx2", "avx512f", "avxvnni", "xsavec"]), ["avx512f", "avxvnni", "xsavec"]);
    }

    #[test]
    fn this_processor_has_what_it_was_built_for() {
        assert_eq!(lacking(&FEATURES, has).next(), None);
        // All of the build are asked about, but those that every processor of 64 bits has.
        let known = |name: &str| {
            ["fxsr", "sse", "sse2", "x87"].contains(&name) || FEATURES.iter().any(|one| one.name == name)
        };
        assert_eq!(env!("EVALFORGE_TARGET_FEATURES").split(',').find(|name| !known(name)), None);
    }
}
