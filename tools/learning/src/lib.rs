//! What the tools that learn from recorded games have in common.
//!
//! Owns which positions of a game teach anything, the loss of a chance, the scale of scores, and
//! conversions of numbers. Must not know what is learned, nor where games come from.

pub mod loss;
pub mod number;
pub mod positions;

use indicatif::style::TemplateError;
use indicatif::{ProgressBar, ProgressStyle};

/// A bar for some steps of work.
///
/// # Errors
/// None: the template is fixed.
pub fn bar(length: usize, what: &str) -> Result<ProgressBar, TemplateError> {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}, {eta} to go")?;
    let bar = ProgressBar::new(length as u64).with_style(style);
    bar.set_message(what.to_owned());
    Ok(bar)
}
