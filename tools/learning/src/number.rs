//! Conversions between kinds of numbers, each with the range it is good for.

/// A count as a real number; exact below 2^53.
#[expect(clippy::cast_precision_loss, reason = "counts here are far below 2^53")]
pub fn real(count: usize) -> f64 {
    count as f64
}

/// A number in less precision.
#[expect(clippy::cast_possible_truncation, reason = "seven digits are enough for weights")]
pub fn short(number: f64) -> f32 {
    number as f32
}

/// A value of the engine as a number; exact below 2^24.
#[expect(clippy::cast_precision_loss, reason = "scores are far below 2^24")]
pub fn short_of(value: i32) -> f32 {
    value as f32
}

/// A number of the file: whole, within `limit` either way.
#[expect(clippy::cast_possible_truncation, reason = "the number is clamped before")]
pub fn whole(number: f32, limit: i16) -> i16 {
    let limit = f32::from(limit);
    if number.is_nan() { 0 } else { number.round().clamp(-limit, limit) as i16 }
}
