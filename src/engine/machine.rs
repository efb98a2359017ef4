//! What this process has used of the machine, and how much of it the search may have.
//!
//! Owns the plan of memory, and what stands in where the system does not tell. Must not know
//! games or settings by name, nor how a system is asked: that is `procfs` on Linux, `kernel32`
//! on Windows. Start reading at [`plan`].

use std::time::Duration;

#[cfg(windows)]
mod kernel32;
#[cfg(not(windows))]
mod procfs;

#[cfg(windows)]
use kernel32 as system;
#[cfg(not(windows))]
use procfs as system;

/// Memory of one search thread besides the table: its position, histories and stacks.
const THREAD_BYTES: u64 = 4 << 20;
/// Least size of a table, whatever the limit.
const TABLE_MIN: u64 = 1 << 18;
/// Largest size of a table, also the answer to "how much hash can you use".
pub const TABLE_MAX: u64 = 4 << 30;

/// Resident memory assumed where the system does not tell: program, pattern tables, heap.
const RESIDENT_ELSEWHERE: u64 = 24 << 20;
/// Processor time of the start assumed where the system does not tell.
const START_ELSEWHERE: Duration = Duration::from_millis(60);

/// Memory for the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Bytes of the table.
    pub table_bytes: usize,
    /// Threads that fit.
    pub threads: usize,
    /// Whether the process stays within the limit.
    pub fits: bool,
}

/// What [`plan`] divides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demand {
    /// Bytes the whole process may use.
    pub limit: u64,
    /// Bytes it uses now, without a table.
    pub resident: u64,
    /// Bytes the machine still has.
    pub available: Option<u64>,
    /// Whether the addresses of the process are limited.
    pub is_confined: bool,
    /// Bytes of the table asked for.
    pub hash: Option<u64>,
    /// Threads asked for.
    pub threads: usize,
}

/// Divides memory between table and threads.
///
/// A tenth of the limit and what is resident now stay free, and half of what the machine has
/// left. Threads get at most half of the rest, the table what remains, if no smaller one was asked
/// for.
pub fn plan(demand: &Demand) -> Plan {
    let within_limit = (demand.limit - demand.limit / 10).saturating_sub(demand.resident);
    let rest = within_limit.min(demand.available.map_or(u64::MAX, |available| available / 2));
    let fitting = usize::try_from(rest / 2 / THREAD_BYTES).unwrap_or(usize::MAX).max(1);
    // Each thread makes malloc take 128 MiB of addresses for a moment: what another one asks for
    // just then may not be there, and that ends the process.
    let threads = if demand.is_confined { 1 } else { demand.threads.min(fitting) };
    let for_threads = THREAD_BYTES.saturating_mul(u64::try_from(threads).unwrap_or(u64::MAX));
    let room = rest.saturating_sub(for_threads);
    let table = demand.hash.unwrap_or(u64::MAX).min(room).min(TABLE_MAX);
    Plan {
        table_bytes: usize::try_from(table.max(TABLE_MIN)).unwrap_or(usize::MAX),
        threads,
        fits: within_limit.saturating_sub(for_threads) >= TABLE_MIN,
    }
}

/// Bytes of this process that are in memory now.
pub fn resident_bytes() -> u64 {
    system::resident_bytes().unwrap_or(RESIDENT_ELSEWHERE)
}

/// Bytes the machine can still give without swapping, if it tells.
pub fn available_bytes() -> Option<u64> {
    system::available_bytes()
}

/// Whether the addresses of this process are limited (`ulimit -v`).
pub fn is_confined() -> bool {
    system::is_confined()
}

/// Processor time this process has used so far, all its threads together.
///
/// Wall time would not do: managers suspend the process between its start and the first move.
pub fn processor_time() -> Duration {
    system::processor_time().unwrap_or(START_ELSEWHERE)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    fn demand(limit: u64, resident: u64) -> Demand {
        Demand { limit, resident, available: None, is_confined: false, hash: None, threads: 1 }
    }

    /// What the process can reach by this plan.
    fn peak(demand: &Demand, plan: &Plan) -> u64 {
        demand.resident + plan.table_bytes as u64 + plan.threads as u64 * THREAD_BYTES
    }

    #[test]
    fn nine_tenths_of_the_limit_are_enough() {
        for (limit, resident) in [(350, 12), (100, 12), (20, 10)] {
            for threads in [1, 2, 64] {
                let demand = Demand { threads, ..demand(limit * MIB, resident * MIB) };
                let plan = plan(&demand);
                assert!(plan.fits && plan.threads >= 1, "{demand:?} {plan:?}");
                assert!(peak(&demand, &plan) <= limit * MIB * 9 / 10, "{demand:?} {plan:?}");
            }
        }
    }

    #[test]
    fn a_limit_that_cannot_be_met_leaves_the_least_table() {
        let plan = plan(&demand(1_000, 9 * MIB));
        assert_eq!(plan, Plan { table_bytes: 1 << 18, threads: 1, fits: false });
    }

    #[test]
    fn a_smaller_table_can_be_asked_for() {
        let asked = |hash| plan(&Demand { hash: Some(hash), ..demand(350 * MIB, 0) }).table_bytes;
        assert_eq!(asked(16 * MIB), 16 << 20);
        assert_eq!(asked(0), 1 << 18);
        assert_eq!(asked(u64::MAX), (350 - 35 - 4) << 20);
    }

    #[test]
    fn the_machine_keeps_half_of_what_it_has_left() {
        let demand = Demand { available: Some(100 * MIB), ..demand(1 << 40, 0) };
        assert_eq!(plan(&demand).table_bytes, (50 - 4) << 20);
    }

    #[test]
    fn limited_addresses_leave_one_thread() {
        let free = Demand { threads: 4, ..demand(1 << 30, 10 * MIB) };
        assert_eq!(plan(&free).threads, 4);
        assert_eq!(plan(&Demand { is_confined: true, ..free }).threads, 1);
    }

    #[test]
    fn a_machine_that_has_little_left_gets_few_threads_and_the_limit_is_not_to_blame() {
        let demand = Demand { available: Some(20 * MIB), threads: 64, ..demand(1 << 30, 10 * MIB) };
        let found = plan(&demand);
        assert_eq!(found, Plan { table_bytes: 6 << 20, threads: 1, fits: true });
        let none = plan(&Demand { available: Some(0), ..demand });
        assert_eq!(none, Plan { table_bytes: 1 << 18, threads: 1, fits: true });
    }

    /// Other tests take and free memory in this process, so one sight of the change is enough.
    #[cfg(any(target_os = "linux", windows))]
    #[test]
    fn the_system_tells_memory() {
        assert!(system::available_bytes().is_some_and(|bytes| bytes > MIB));
        let grows = || {
            let before = system::resident_bytes().expect("memory in use");
            let touched = std::hint::black_box(vec![1_u8; 64 << 20]);
            let after = system::resident_bytes().expect("memory in use");
            drop(touched);
            (MIB / 4..4096 * MIB).contains(&before) && after >= before + 60 * MIB
        };
        assert!((0..50).any(|_| grows()));
    }

    /// The time of other tests' threads goes when they end, so what counts is the last fall.
    #[cfg(any(target_os = "linux", windows))]
    #[test]
    fn the_system_tells_time() {
        let time = || system::processor_time().expect("processor time");
        let began = std::time::Instant::now();
        let mut least = time();
        let mut sum = 1_u64;
        while time() < least + Duration::from_millis(50) {
            least = least.min(time());
            sum = std::hint::black_box(sum.rotate_left(1));
            assert!(began.elapsed() < Duration::from_secs(20), "no time counted: {sum}");
        }
    }

    #[cfg(any(target_os = "linux", windows))]
    #[test]
    fn threads_that_come_and_go_do_not_hide_the_time() {
        let is_over = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(std::sync::atomic::Ordering::Relaxed) {
                    let _ = std::thread::spawn(|| {}).join();
                }
            });
            let untold = (0..2000).filter(|_| system::processor_time().is_none()).count();
            is_over.store(true, std::sync::atomic::Ordering::Relaxed);
            assert_eq!(untold, 0);
        });
    }
}
