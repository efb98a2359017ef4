//! The built program in a terminal: keys, mouse, sizes, engines good and bad, files.

#![cfg(unix)]

#[cfg(test)]
mod board;
#[cfg(test)]
mod engines;
#[cfg(test)]
mod files;
#[cfg(test)]
mod harness;
#[cfg(test)]
mod screens;
