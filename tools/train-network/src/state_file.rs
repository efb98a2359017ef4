//! Work in progress on the disk: what a run that was cut off goes on from.
//!
//! A run's settings and data are one text, its key; a file with another key is not continued.

use std::fs;
use std::io;
use std::path::Path;

use crate::model::Loss;
use crate::train::State;

const MAGIC: &[u8] = b"tengtrn1";

/// Appends numbers.
fn push(bytes: &mut Vec<u8>, numbers: &[f32]) {
    bytes.extend((numbers.len() as u64).to_le_bytes());
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
}

fn take<'a>(rest: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, left) = rest.split_at_checked(count)?;
    *rest = left;
    Some(taken)
}

fn take_u64(rest: &mut &[u8]) -> Option<u64> {
    Some(u64::from_le_bytes(take(rest, 8)?.try_into().ok()?))
}

fn take_numbers(rest: &mut &[u8]) -> Option<Vec<f32>> {
    let count = usize::try_from(take_u64(rest)?).ok()?;
    let bytes = take(rest, count.checked_mul(4)?)?;
    let numbers = bytes.chunks_exact(4).map(|four| [four[0], four[1], four[2], four[3]]);
    Some(numbers.map(f32::from_le_bytes).collect())
}

/// The losses of the epochs so far: learned from and held out.
pub(crate) type Losses = Vec<(Loss, Loss)>;

/// Writes a run's state; the file is never seen half written.
///
/// # Errors
/// What the disk says.
pub(crate) fn save(path: &Path, key: &str, state: &State, losses: &Losses) -> io::Result<()> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend((key.len() as u64).to_le_bytes());
    bytes.extend(key.as_bytes());
    bytes.extend(u64::from(state.steps).to_le_bytes());
    bytes.extend(u64::from(state.epoch).to_le_bytes());
    for numbers in [&state.parameters, &state.mean, &state.square] {
        push(&mut bytes, numbers);
    }
    bytes.extend((losses.len() as u64).to_le_bytes());
    for loss in losses.iter().flat_map(|(one, other)| [one, other]) {
        bytes.extend(loss.to_bytes());
    }
    let half = path.with_extension("half");
    fs::write(&half, bytes)?;
    fs::rename(half, path)
}

/// Reads the state of a run; none if there is none, or one of another run.
pub(crate) fn load(path: &Path, key: &str, parameters: usize) -> Option<(State, Losses)> {
    let bytes = fs::read(path).ok()?;
    let mut rest = bytes.strip_prefix(MAGIC)?;
    let length = usize::try_from(take_u64(&mut rest)?).ok()?;
    if take(&mut rest, length)? != key.as_bytes() {
        return None;
    }
    let steps = u32::try_from(take_u64(&mut rest)?).ok()?;
    let epoch = u32::try_from(take_u64(&mut rest)?).ok()?;
    let [values, mean, square] =
        [take_numbers(&mut rest)?, take_numbers(&mut rest)?, take_numbers(&mut rest)?];
    if [&values, &mean, &square].iter().any(|numbers| numbers.len() != parameters) {
        return None;
    }
    let count = take_u64(&mut rest)?;
    let losses = (0..count).map(|_| {
        let mut loss = || Loss::from_bytes(take(&mut rest, Loss::BYTES)?);
        Some((loss()?, loss()?))
    });
    let losses = losses.collect::<Option<Losses>>()?;
    Some((State { parameters: values, mean, square, steps, epoch }, losses))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_continued_by_its_own_key_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.state");
        let mut state = State::new(vec![0.5, -1.0, 3.25]);
        (state.steps, state.epoch) = (7, 2);
        let losses = vec![(Loss { values: 3, value: 0.5, ..Loss::default() }, Loss::default()); 2];
        assert_eq!(load(&path, "a", 3), None);
        save(&path, "a", &state, &losses).unwrap();
        assert_eq!(load(&path, "a", 3), Some((state, losses)));
        assert_eq!(load(&path, "b", 3), None);
        assert_eq!(load(&path, "a", 4), None);
        let bytes = fs::read(&path).unwrap();
        for length in 0..bytes.len() {
            fs::write(&path, &bytes[..length]).unwrap();
            assert_eq!(load(&path, "a", 3), None, "{length}");
        }
    }
}
