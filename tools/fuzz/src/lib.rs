//! What Tengen reads and keeps, under inputs that nobody thought of.
//!
//! Owns one function per target: bytes in, a panic if something does not hold. Must not know who
//! makes the bytes: cargo-fuzz does (`fuzz_targets/`), and the corpus in `corpus/` is replayed by
//! an ordinary test. What is compared with what stands at the head of each module.

#![allow(clippy::missing_panics_doc, reason = "to panic is what a target is for")]

pub mod forbidden;
pub mod gamefile;
pub mod lines;
pub mod network;
pub mod position;
pub mod records;
pub mod replay;
pub mod session;
pub mod stones;
pub mod table;
pub mod text;
pub mod weights;

/// A target: what is to be done with an input.
pub type Target = fn(&[u8]);

/// All targets by their names.
pub const TARGETS: [(&str, Target); 10] = [
    ("lines", lines::run),
    ("session", session::run),
    ("text", text::run),
    ("records", records::run),
    ("gamefile", gamefile::run),
    ("weights", weights::run),
    ("network", network::run),
    ("forbidden", forbidden::run),
    ("position", position::run),
    ("table", table::run),
];

/// The program of a target: the fuzzer under cargo-fuzz, else one that runs the files it is given.
#[macro_export]
macro_rules! target {
    ($name:ident) => {
        #[cfg(fuzzing)]
        libfuzzer_sys::fuzz_target!(|bytes: &[u8]| $crate::$name::run(bytes));

        #[cfg(not(fuzzing))]
        fn main() -> std::process::ExitCode {
            $crate::replay::main($crate::$name::run)
        }
    };
}
