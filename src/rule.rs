//! What the rules say: who has won, and which squares are forbidden.
//!
//! Owns legality and the end of a game under every rule, as Gomocup's judge and the Piskvork
//! manager have them. Must not know scores, candidates or the protocol's numbers for rules.

pub mod forbidden;
#[cfg(any(test, feature = "fuzzing"))]
pub mod reference;
pub mod win;

#[cfg(test)]
mod tests;
