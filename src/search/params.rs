//! Every number of the search that a tuner may change, by technique.
//!
//! Depths are in [`PLY`]s of sixteen parts unless the name says plies; margins are in the units
//! of the evaluation.

use crate::tunables;

/// One ply in the fine unit of depth.
pub const PLY: i32 = 16;

tunables! {
    /// Reverse futility: deepest node, in plies.
    futility_plies = 7, 1..=12, 1;
    /// Reverse futility: margin per ply.
    futility_margin = 60, 10..=300, 10;
    /// Razoring: deepest node, in plies.
    razor_plies = 3, 0..=6, 1;
    /// Razoring: margin at depth 0.
    razor_base = 60, 0..=400, 20;
    /// Razoring: margin per ply.
    razor_margin = 90, 10..=300, 10;
    /// Move-count pruning: moves kept at depth 0, in sixteenths.
    count_base = 80, 16..=320, 16;
    /// Move-count pruning: further moves per ply of depth, in sixteenths.
    count_linear = 32, 0..=160, 8;
    /// Move-count pruning: further moves per squared ply of depth, in sixteenths.
    count_square = 10, 0..=64, 4;
    /// Late move reductions: base, in parts of a ply.
    reduction_base = 4, -16..=32, 2;
    /// Late move reductions: percent of ln(depth) * ln(count), in plies.
    reduction_factor = 60, 10..=150, 5;
    /// Late move reductions: less on the principal variation, in parts of a ply.
    reduction_pv = 12, 0..=32, 4;
    /// Late move reductions: more where a cut is expected, in parts of a ply.
    reduction_cut = 10, 0..=32, 4;
    /// Late move reductions: history that takes off or adds a ply.
    reduction_history = 6000, 1000..=20000, 500;
    /// Extension of the only reply to a four, beyond the ply it takes, in parts of a ply.
    reply_extension = 20, 0..=32, 4;
    /// Internal iterative reduction: shallowest node, in plies.
    iir_plies = 4, 1..=10, 1;
    /// Nodes of a threat search at a leaf.
    leaf_vcf_nodes = 48, 0..=400, 16;
    /// Nodes of the threat search before the first iteration.
    root_vcf_nodes = 100_000, 0..=1_000_000, 10_000;
    /// Most nodes of the search for a win by threats at the root; 0 for none, as it costs more in
    /// games than it finds.
    root_vct_nodes = 0, 0..=1_000_000, 10_000;
    /// Nodes of it before the first iteration.
    root_vct_first = 1000, 0..=1_000_000, 1000;
    /// Further nodes of it, in percent of all nodes so far.
    root_vct_share = 0, 0..=50, 2;
    /// Half-width of the first aspiration window.
    aspiration = 24, 4..=200, 4;
    /// History: largest bonus of a cut.
    history_bonus = 1600, 200..=8000, 100;
    /// Ordering: part of the history in a move's score, in 256ths.
    history_weight = 10, 0..=128, 4;
    /// Ordering: bonus of a killer move.
    killer_bonus = 60, 0..=400, 10;
    /// Ordering: bonus of the counter move.
    counter_bonus = 40, 0..=400, 10;
}
