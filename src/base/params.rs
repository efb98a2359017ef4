//! A macro that declares tunable numbers once.
//!
//! Normally each is a constant, so it costs nothing. In a `tune` build each is an atomic that
//! can be set by name while the program runs, and the list of all of them, with range and step,
//! is there for a tuner to read. (One list for both is the habit of Reckless `parameters.rs`.)

/// What a tuner must know about a tunable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tunable {
    /// Its name, as in the source.
    pub name: &'static str,
    /// What it is now without tuning.
    pub default: i32,
    /// Smallest sensible value.
    pub min: i32,
    /// Largest sensible value.
    pub max: i32,
    /// A change worth trying.
    pub step: i32,
}

/// Declares tunables: `/// meaning` `NAME = value, min..=max, step;` each.
///
/// Makes a function of each name that returns the value, `LIST` with all [`Tunable`]s and, in
/// `tune` builds, `set(name, value)`.
#[macro_export]
macro_rules! tunables {
    ($($(#[$doc:meta])* $name:ident = $value:expr, $min:literal ..= $max:literal, $step:literal;)*) => {
        /// Every tunable with its range.
        pub const LIST: &[$crate::base::params::Tunable] = &[$(
            $crate::base::params::Tunable {
                name: stringify!($name), default: $value, min: $min, max: $max, step: $step,
            },
        )*];

        #[cfg(feature = "tune")]
        mod cells {
            $(
                #[expect(non_upper_case_globals, reason = "named as the tunable")]
                pub(super) static $name: std::sync::atomic::AtomicI32 =
                    std::sync::atomic::AtomicI32::new($value);
            )*
        }

        $(
            $(#[$doc])*
            #[inline(always)]
            pub fn $name() -> i32 {
                #[cfg(feature = "tune")]
                { cells::$name.load(std::sync::atomic::Ordering::Relaxed) }
                #[cfg(not(feature = "tune"))]
                { $value }
            }
        )*

        /// Sets a tunable by name; says whether there is one and the value is in its range.
        #[cfg(feature = "tune")]
        pub fn set(name: &str, value: i32) -> bool {
            match name {
                $(
                    stringify!($name) if ($min..=$max).contains(&value) => {
                        cells::$name.store(value, std::sync::atomic::Ordering::Relaxed);
                        true
                    }
                )*
                _ => false,
            }
        }
    };
}
