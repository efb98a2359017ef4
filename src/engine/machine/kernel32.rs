//! Memory and processor time from Windows.
//!
//! Owns the few functions of `kernel32.dll` that tell, all of them there since Windows 7. The
//! layouts are those of the Windows SDK, `psapi.h`, `sysinfoapi.h` and `minwindef.h`.
#![expect(unsafe_code, reason = "the system is asked by foreign functions; std has no safe way")]

use std::ffi::c_void;
use std::time::Duration;

/// `PROCESS_MEMORY_COUNTERS`, in bytes.
#[repr(C)]
#[derive(Default)]
struct MemoryCounters {
    size: u32,
    page_faults: u32,
    peak_working_set: usize,
    working_set: usize,
    quota: [usize; 4],
    pagefile: usize,
    peak_pagefile: usize,
}

/// `MEMORYSTATUSEX`, in bytes.
#[repr(C)]
#[derive(Default)]
struct MemoryStatus {
    size: u32,
    load: u32,
    physical: u64,
    physical_free: u64,
    commit: u64,
    commit_free: u64,
    address_space: u64,
    address_space_free: u64,
    extended: u64,
}

/// `FILETIME`, in units of 100 ns.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct FileTime {
    low: u32,
    high: u32,
}

#[link(name = "kernel32")]
unsafe extern "system" {
    safe fn GetCurrentProcess() -> *mut c_void;
    fn K32GetProcessMemoryInfo(
        process: *mut c_void,
        counters: *mut MemoryCounters,
        size: u32,
    ) -> i32;
    fn GlobalMemoryStatusEx(status: *mut MemoryStatus) -> i32;
    fn GetProcessTimes(
        process: *mut c_void,
        creation: *mut FileTime,
        exit: *mut FileTime,
        kernel: *mut FileTime,
        user: *mut FileTime,
    ) -> i32;
}

/// The size of a structure as Windows wants it told.
fn size_of_u32<T>() -> u32 {
    u32::try_from(size_of::<T>()).unwrap_or(u32::MAX)
}

/// Bytes of this process that are in memory now: its working set, of which managers measure
/// the peak.
pub(super) fn resident_bytes() -> Option<u64> {
    let size = size_of_u32::<MemoryCounters>();
    let mut counters = MemoryCounters { size, ..MemoryCounters::default() };
    // SAFETY: the structure is ours, as large as is said, and of plain numbers.
    let done = unsafe { K32GetProcessMemoryInfo(GetCurrentProcess(), &raw mut counters, size) };
    (done != 0).then(|| u64::try_from(counters.working_set).ok())?
}

/// Bytes the machine can still give: free memory, or what may still be committed if that is
/// less, since Windows promises no memory that it does not have.
pub(super) fn available_bytes() -> Option<u64> {
    let size = size_of_u32::<MemoryStatus>();
    let mut status = MemoryStatus { size, ..MemoryStatus::default() };
    // SAFETY: the structure is ours, says its size, and is of plain numbers.
    let done = unsafe { GlobalMemoryStatusEx(&raw mut status) };
    (done != 0).then(|| status.physical_free.min(status.commit_free))
}

/// Windows has no such limit.
pub(super) fn is_confined() -> bool {
    false
}

/// Processor time of all threads, in the system and outside it.
pub(super) fn processor_time() -> Option<Duration> {
    let [mut creation, mut exit, mut kernel, mut user] = [FileTime::default(); 4];
    // SAFETY: four structures of ours, of plain numbers, which live until the call returns.
    let done = unsafe {
        GetProcessTimes(
            GetCurrentProcess(),
            &raw mut creation,
            &raw mut exit,
            &raw mut kernel,
            &raw mut user,
        )
    };
    (done != 0).then(|| duration(kernel) + duration(user))
}

fn duration(time: FileTime) -> Duration {
    let ticks = u64::from(time.high) << 32 | u64::from(time.low);
    Duration::from_nanos(ticks.saturating_mul(100))
}
