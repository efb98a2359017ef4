//! The built program, tested from outside.
//!
//! Owns everything that speaks to a running brain over its pipes. Must not know the engine: of the
//! library only the seeded generator is used, boards and rules are written again from their
//! definitions in `grid` and `referee`, so that a mistake in the engine cannot hide here. Start at
//! `harness`, then `transcripts`; `README.md` explains the language of the transcripts.

#[cfg(test)]
mod faults;
#[cfg(test)]
mod games;
#[cfg(test)]
mod grid;
#[cfg(test)]
mod harness;
#[cfg(test)]
#[cfg(target_os = "linux")]
mod memory;
#[cfg(test)]
mod referee;
#[cfg(test)]
mod repeat;
#[cfg(test)]
mod reports;
#[cfg(test)]
mod robustness;
#[cfg(test)]
mod rules;
#[cfg(test)]
mod shared;
#[cfg(test)]
mod startup;
#[cfg(test)]
mod system;
#[cfg(test)]
mod timing;
#[cfg(test)]
mod traces;
#[cfg(test)]
mod transcripts;
