//! Memory and processor time from the files of `/proc`.
//!
//! Owns their paths and forms. Each question has no answer where there are no such files.

use std::fs;
use std::time::Duration;

/// Bytes of this process that are in memory now.
pub(super) fn resident_bytes() -> Option<u64> {
    field_kib("/proc/self/status", "VmRSS:")
}

/// Bytes the machine can still give without swapping.
pub(super) fn available_bytes() -> Option<u64> {
    field_kib("/proc/meminfo", "MemAvailable:")
}

/// Sum over the threads of the first number, nanoseconds run, of their `schedstat`.
///
/// A thread that ends between the list and the reading counts for nothing.
pub(super) fn processor_time() -> Option<Duration> {
    let mut sum = None;
    for thread in fs::read_dir("/proc/self/task").ok()?.flatten() {
        let Ok(text) = fs::read_to_string(thread.path().join("schedstat")) else { continue };
        let time = Duration::from_nanos(text.split(' ').next()?.parse().ok()?);
        *sum.get_or_insert(Duration::ZERO) += time;
    }
    sum
}

/// A field of a file of the form `name: number kB`, in bytes.
fn field_kib(path: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kib: u64 = rest.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}
