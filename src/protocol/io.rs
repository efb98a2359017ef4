//! Stdin and stdout, and nothing else of this crate touches them while the protocol runs.
//!
//! Owns bytes: line ends, length, arrival times, one write per line. Must not know commands. Start
//! reading at [`Splitter`].

use std::io::{ErrorKind, Read, Write};
use std::thread;
use std::time::{Duration, Instant};

/// Bytes of a line that are kept.
const MAX_LINE: usize = 64 << 10;
/// Pause before trying again where a manager has made a pipe one that does not wait: its ends
/// share that setting, and an engine that took it for the end of all would leave the game.
const PAUSE: Duration = Duration::from_millis(1);

/// A line as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// Its bytes, without the end.
    pub(crate) bytes: Vec<u8>,
    /// When its end was read.
    pub(crate) arrival: Instant,
}

/// Cuts a stream of bytes into lines.
///
/// CR and LF each end a line and empty lines are dropped, so CR LF, LF and CR all work, also
/// mixed. A byte order mark at the very start is dropped.
#[derive(Debug, Default)]
struct Splitter {
    line: Vec<u8>,
    is_past_start: bool,
}

impl Splitter {
    /// Takes bytes and hands out the lines they complete.
    fn feed(&mut self, bytes: &[u8], mut hand_out: impl FnMut(Vec<u8>)) {
        for &byte in bytes {
            if byte == b'\r' || byte == b'\n' {
                if let Some(line) = self.finish() {
                    hand_out(line);
                }
            } else if self.line.len() < MAX_LINE {
                self.line.push(byte);
            }
        }
    }

    /// The line that has no end yet, if it has anything.
    fn finish(&mut self) -> Option<Vec<u8>> {
        let mut line = std::mem::take(&mut self.line);
        if !std::mem::replace(&mut self.is_past_start, true) && line.starts_with(b"\xef\xbb\xbf") {
            line.drain(..3);
        }
        (!line.is_empty()).then_some(line)
    }
}

/// Reads lines until the stream ends or nobody wants more.
///
/// `hand_out` says whether to go on.
pub(crate) fn read_lines(mut input: impl Read, mut hand_out: impl FnMut(Line) -> bool) {
    let mut splitter = Splitter::default();
    let mut buffer = vec![0; 64 << 10];
    let mut is_wanted = true;
    while is_wanted {
        let count = match input.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                thread::sleep(PAUSE);
                continue;
            }
            Err(error) => {
                log::warn!("stdin cannot be read: {error}");
                break;
            }
        };
        let arrival = Instant::now();
        let mut give = |bytes: Vec<u8>| {
            is_wanted = is_wanted && hand_out(Line { bytes, arrival });
        };
        splitter.feed(&buffer[..count], &mut give);
    }
    if let Some(bytes) = splitter.finish()
        && is_wanted
    {
        hand_out(Line { bytes, arrival: Instant::now() });
    }
}

/// Writes a line with one call, its end included, and sends it off.
///
/// # Errors
/// When the other side is gone.
pub(crate) fn write_line(mut output: impl Write, line: &str) -> std::io::Result<()> {
    let mut bytes = Vec::with_capacity(line.len() + 1);
    bytes.extend_from_slice(line.as_bytes());
    bytes.push(b'\n');
    let mut rest = &bytes[..];
    loop {
        let done = if rest.is_empty() { output.flush().map(|()| 0) } else { output.write(rest) };
        match done {
            Ok(_) if rest.is_empty() => return Ok(()),
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(count) => rest = &rest[count..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => thread::sleep(PAUSE),
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives out its chunks one by one.
    struct Chunks<'a>(Vec<&'a [u8]>);

    impl Read for Chunks<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            if self.0.is_empty() {
                return Ok(0);
            }
            let chunk = self.0.remove(0);
            buffer[..chunk.len()].copy_from_slice(chunk);
            Ok(chunk.len())
        }
    }

    fn lines(chunks: &[&[u8]]) -> Vec<String> {
        let mut lines = Vec::new();
        read_lines(Chunks(chunks.to_vec()), |line| {
            lines.push(String::from_utf8_lossy(&line.bytes).into_owned());
            true
        });
        lines
    }

    #[test]
    fn all_line_ends_work() {
        for text in ["START 15\nBEGIN\n", "START 15\r\nBEGIN\r\n", "START 15\rBEGIN\r"] {
            assert_eq!(lines(&[text.as_bytes()]), ["START 15", "BEGIN"], "{text:?}");
        }
        assert_eq!(lines(&[b"\n\r\n", b"STA", b"RT 15\r", b"\nBEGIN"]), ["START 15", "BEGIN"]);
        assert_eq!(lines(&[b""]), [""; 0]);
    }

    #[test]
    fn a_mark_is_dropped_at_the_start_only() {
        assert_eq!(lines(&[b"\xef\xbb\xbfABOUT\n"]), ["ABOUT"]);
        let later = lines(&[b"A\n\xef\xbb\xbfB\n"]);
        assert_eq!(later, ["A", "\u{feff}B"]);
    }

    #[test]
    fn long_lines_lose_their_tail() {
        let long = vec![b'A'; 60_000];
        let got = lines(&[&long, &long, b"\nSTART 15\n"]);
        assert_eq!(got[0].len(), MAX_LINE);
        assert_eq!(got[1], "START 15");
    }

    #[test]
    fn a_pipe_that_does_not_wait_is_no_broken_one() {
        /// Would block at every second call, and takes a few bytes at the others.
        struct Hesitant(bool, Vec<u8>);
        impl Hesitant {
            fn hesitates(&mut self) -> bool {
                self.0 = !self.0;
                self.0
            }
        }
        impl Read for Hesitant {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                if self.hesitates() {
                    return Err(ErrorKind::WouldBlock.into());
                }
                let count = self.1.len().min(4);
                buffer[..count].copy_from_slice(&self.1[..count]);
                self.1.drain(..count);
                Ok(count)
            }
        }
        impl Write for Hesitant {
            fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
                if self.hesitates() {
                    return Err(ErrorKind::WouldBlock.into());
                }
                let count = bytes.len().min(4);
                self.1.extend_from_slice(&bytes[..count]);
                Ok(count)
            }
            fn flush(&mut self) -> std::io::Result<()> {
                if self.hesitates() { Err(ErrorKind::WouldBlock.into()) } else { Ok(()) }
            }
        }
        let mut input = Hesitant(false, b"START 15\nBEGIN\n".to_vec());
        let mut lines = Vec::new();
        read_lines(&mut input, |line| {
            lines.push(line.bytes);
            true
        });
        assert_eq!(lines, [&b"START 15"[..], b"BEGIN"]);
        let mut output = Hesitant(false, Vec::new());
        write_line(&mut output, "MESSAGE depth").unwrap();
        assert_eq!(output.1, b"MESSAGE depth\n");
    }

    #[test]
    fn a_line_is_one_write() {
        /// Counts calls.
        struct Writes(Vec<Vec<u8>>);
        impl Write for Writes {
            fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
                self.0.push(bytes.to_vec());
                Ok(bytes.len())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let mut writes = Writes(Vec::new());
        write_line(&mut writes, &"x".repeat(5000)).unwrap();
        assert_eq!(writes.0.len(), 1);
        assert_eq!(writes.0[0].last(), Some(&b'\n'));
    }
}
