//! Memory and processor time from the files of `/proc`.
//!
//! Owns their paths and forms. Each question has no answer where there are no such files.

use std::fs;
use std::time::Duration;

/// Bytes of this process that are in memory now.
pub(super) fn resident_bytes() -> Option<u64> {
    field_kib("/proc/self/status", "VmRSS:")
}

/// Bytes this process can still be given: by the machine without swapping, and by what it may
/// address, if that is limited (`ulimit -v`).
pub(super) fn available_bytes() -> Option<u64> {
    let of_machine = field_kib("/proc/meminfo", "MemAvailable:");
    let of_process = own_address_limit()
        .zip(field_kib("/proc/self/status", "VmSize:"))
        .map(|(limit, addressed)| limit.saturating_sub(addressed));
    of_machine.into_iter().chain(of_process).min()
}

/// Whether what this process may address is limited.
pub(super) fn is_confined() -> bool {
    own_address_limit().is_some()
}

/// Bytes this process may address, none if it may all.
fn own_address_limit() -> Option<u64> {
    address_limit(&fs::read_to_string("/proc/self/limits").ok()?)
}

/// The soft limit of addresses in a text like `/proc/self/limits`, none where there is none.
fn address_limit(limits: &str) -> Option<u64> {
    let row = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    row.split_whitespace().next()?.parse().ok()
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

#[test]
fn the_soft_limit_of_addresses_counts() {
    let row = |soft: &str| format!("Max stack  1 2 bytes\nMax address space   {soft}  9  bytes \n");
    assert_eq!(address_limit(&row("204800000")), Some(204_800_000));
    assert_eq!(address_limit(&row("unlimited")), None);
    assert_eq!(address_limit(""), None);
}
