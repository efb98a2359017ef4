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
    futility_margin = 60, 10..=300, 15;
    /// Razoring: deepest node, in plies.
    razor_plies = 3, 0..=6, 1;
    /// Razoring: margin at depth 0.
    razor_base = 60, 0..=400, 40;
    /// Razoring: margin per ply.
    razor_margin = 90, 10..=300, 40;
    /// Move-count pruning: moves kept at depth 0, in sixteenths.
    count_base = 64, 16..=320, 20;
    /// Move-count pruning: further moves per ply of depth, in sixteenths.
    count_linear = 16, 0..=160, 10;
    /// Move-count pruning: further moves per squared ply of depth, in sixteenths.
    count_square = 3, 0..=64, 3;
    /// Late move reductions: base, in parts of a ply.
    reduction_base = 4, -16..=32, 2;
    /// Late move reductions: percent of ln(depth) * ln(count), in plies.
    reduction_factor = 85, 10..=150, 15;
    /// Late move reductions: less on the principal variation, in parts of a ply.
    reduction_pv = 12, 0..=32, 6;
    /// Late move reductions: more where a cut is expected, in parts of a ply.
    reduction_cut = 14, 0..=64, 8;
    /// Late move reductions: history that takes off or adds a ply.
    reduction_history = 6000, 1000..=20000, 2000;
    /// Extension of the only reply to a four, beyond the ply it takes, in parts of a ply.
    reply_extension = 20, 0..=32, 5;
    /// Reverse futility: parts of a ply of depth that need no margin.
    futility_free = 8, 0..=32, 8;
    /// Depth that an entry of the table may lack to settle a node, in parts of a ply.
    table_slack = 8, 0..=32, 4;
    /// Fail-high reduction: margin over beta from which a node is searched a ply less deep.
    fail_high_margin = 60, -200..=1_000, 50;
    /// Fail-high reduction: further margin per ply.
    fail_high_ply = 15, 0..=60, 5;
    /// Late move reductions: more where the evaluation does not improve, in parts of a ply.
    reduction_worse = 6, 0..=32, 6;
    /// Late move reductions: more for moves far from the last stones, in parts of a ply.
    reduction_far = 8, 0..=32, 6;
    /// Late move reductions: less for moves that make a three or stop one, in parts of a ply.
    reduction_three = 8, 0..=48, 6;
    /// Late move reductions: less for killer moves, in parts of a ply.
    reduction_killer = 6, 0..=48, 6;
    /// Late move reductions: what is left of them among the answers to a threat, in 64ths.
    reduction_defense = 32, 0..=96, 16;
    /// Move-count pruning: part of the moves kept where the evaluation does not improve, in 64ths.
    count_worse = 40, 16..=64, 8;
    /// Plies beyond the horizon at which an open three is still answered.
    leaf_threat = 1, 0..=4, 1;
    /// How far outside of the window a leaf is not evaluated but estimated.
    lazy_margin = 250, 0..=20_000, 50;
    /// Nodes of a threat search at a leaf where no four has potential.
    leaf_plain_nodes = 16, 0..=400, 8;
    /// Late move reductions: more by how much worse a move looks, in parts of a ply.
    reduction_score = 8, 0..=128, 8;
    /// Late move reductions: how much worse a move looks that is not reduced by it.
    reduction_score_mid = 1500, 0..=4096, 500;
    /// Late move reductions: weight of the continuation history, in 64ths.
    continuation_weight = 32, 0..=256, 24;
    /// Ordering: part of the continuation history in a move's score, in 256ths.
    continuation_order = 4, 0..=128, 3;
    /// Weight of the correction of the static evaluation, in 256ths.
    correction_weight = 64, 0..=512, 48;
    /// Depth less for the other moves after a better one on the principal variation.
    alpha_reduction = 8, 0..=32, 6;
    /// Singular extension: shallowest node, in plies.
    singular_plies = 6, 3..=100, 1;
    /// Singular extension: margin per ply, in sixteenths.
    singular_margin = 32, 0..=160, 16;
    /// Parts of a ply less where the table move cuts and is not alone.
    singular_less = 16, 0..=48, 8;
    /// Internal iterative reduction: shallowest node, in plies.
    iir_plies = 4, 1..=10, 1;
    /// Nodes of a threat search at a leaf.
    leaf_vcf_nodes = 32, 0..=400, 12;
    /// Nodes of the threat search before the first iteration.
    root_vcf_nodes = 100_000, 0..=1_000_000, 10_000;
    /// Most nodes of the search for a win by threats at the root: it is for analysis and long
    /// turns, in short ones it costs more than it finds.
    root_vct_nodes = 200_000, 0..=1_000_000, 10_000;
    /// Nodes of it, in percent of all nodes so far.
    root_vct_share = 1, 0..=50, 2;
    /// Half-width of the first aspiration window.
    aspiration = 24, 4..=200, 12;
    /// History: largest bonus of a cut.
    history_bonus = 1600, 200..=8000, 100;
    /// Ordering: part of the history in a move's score, in 256ths.
    history_weight = 10, 0..=128, 4;
    /// Ordering: bonus of a killer move.
    killer_bonus = 60, 0..=400, 40;
    /// Ordering: bonus of the counter move.
    counter_bonus = 40, 0..=400, 30;
}
