//! What this process has used of the machine, and how much of it the search may have.
//!
//! Owns reading memory and processor time from the system, and the plan of memory. Must not
//! know games or settings by name. Where the system does not tell, constants stand in. Start
//! reading at [`plan`].

use std::fs;
use std::time::Duration;

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
    /// Bytes of the table asked for.
    pub hash: Option<u64>,
    /// Threads asked for.
    pub threads: usize,
}

/// Divides memory between table and threads.
///
/// A tenth of the limit and what is resident now stay free; threads get at most half of the
/// rest, the table what remains, if no smaller one was asked for, and never more than half of
/// what the machine has left.
pub fn plan(demand: &Demand) -> Plan {
    let rest = (demand.limit - demand.limit / 10).saturating_sub(demand.resident);
    let fitting = usize::try_from(rest / 2 / THREAD_BYTES).unwrap_or(usize::MAX).max(1);
    let threads = demand.threads.min(fitting);
    let for_threads = THREAD_BYTES.saturating_mul(u64::try_from(threads).unwrap_or(u64::MAX));
    let room = rest.saturating_sub(for_threads);
    let mut table = demand.hash.unwrap_or(u64::MAX).min(room).min(TABLE_MAX);
    if let Some(available) = demand.available {
        table = table.min(available / 2);
    }
    Plan {
        table_bytes: usize::try_from(table.max(TABLE_MIN)).unwrap_or(usize::MAX),
        threads,
        fits: room >= TABLE_MIN,
    }
}

/// Bytes of this process that are in memory now.
pub fn resident_bytes() -> u64 {
    field_kib("/proc/self/status", "VmRSS:").unwrap_or(RESIDENT_ELSEWHERE)
}

/// Bytes the machine can still give without swapping, if it tells.
pub fn available_bytes() -> Option<u64> {
    field_kib("/proc/meminfo", "MemAvailable:")
}

/// Processor time this process has used so far, all its threads together.
///
/// Wall time would not do: managers suspend the process between its start and the first move.
pub fn processor_time() -> Duration {
    threads_time().unwrap_or(START_ELSEWHERE)
}

/// Sum over the threads of the first number, nanoseconds run, of their `schedstat`.
fn threads_time() -> Option<Duration> {
    let mut sum = Duration::ZERO;
    for thread in fs::read_dir("/proc/self/task").ok()? {
        let text = fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        sum += Duration::from_nanos(text.split(' ').next()?.parse().ok()?);
    }
    Some(sum)
}

/// A field of a file of the form `name: number kB`, in bytes.
fn field_kib(path: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kib: u64 = rest.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    fn demand(limit: u64, resident: u64) -> Demand {
        Demand { limit, resident, available: None, hash: None, threads: 1 }
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
        assert_eq!(plan(&demand).table_bytes, 50 << 20);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_system_tells() {
        assert!(resident_bytes() > 0 && resident_bytes() != RESIDENT_ELSEWHERE);
        assert!(available_bytes().is_some());
        assert!(threads_time().is_some());
    }
}
