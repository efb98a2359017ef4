//! The network: its parameters, what it says of a sample, and the slope of its loss.
//!
//! The shape is the engine's (`eval/network/shape.rs`), in floating point: all parameters are one
//! list, in the order of a section of the file. Must not know games, files or steps.

use learning::loss::{cross_entropy, sigmoid};
use tengen::base::rng::Rng;
use tengen::eval::network::shape::{
    self, CHANNELS, HIDDEN, LAST, POOL_SHIFT, POOLS, TABLE, head, other_row, own_row, window_row,
};
use tengen::types::color::Color;
use tengen::types::rule::Rule;

use crate::data::{Sample, Samples, Seen};
use crate::parts::Parts;

/// Pools are sums over squares times this.
const POOL_PART: f32 = 1.0 / (1u16 << POOL_SHIFT) as f32;
/// Classical rank that is one unit of the logit.
const RANK_UNIT: f32 = shape::RANK_UNIT as f32;
/// Upper bound of hidden activations.
const TOP: f32 = shape::TOP as f32;

/// Where the parts of a head begin in all parameters.
#[derive(Clone, Copy, Debug)]
struct Head {
    first: usize,
}

impl Head {
    fn w1(self) -> usize {
        self.first + head::W1
    }
    fn b1(self) -> usize {
        self.first + head::B1
    }
    fn mask(self, mask: u16) -> usize {
        self.first + head::MASKS + usize::from(mask) * HIDDEN
    }
    fn w2(self) -> usize {
        self.first + head::W2
    }
    fn b2(self) -> usize {
        self.first + head::B2
    }
    fn w3(self) -> usize {
        self.first + head::W3
    }
    fn b3(self) -> usize {
        self.first + head::B3
    }
    fn skip(self) -> usize {
        self.first + head::SKIP
    }
    fn policy(self) -> usize {
        self.first + head::POLICY
    }
    fn rank(self) -> usize {
        self.first + head::RANK
    }
}

/// The shape under a rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    rule: Rule,
    /// Weight of the loss of the policy beside that of the value.
    pub(crate) policy_part: f32,
}

/// What a sample cost, and what was right.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Loss {
    pub(crate) samples: usize,
    pub(crate) values: usize,
    pub(crate) value: f64,
    pub(crate) results: usize,
    pub(crate) result: f64,
    /// Of the search's scores against the results.
    pub(crate) search: f64,
    /// The same three where no result was proven yet.
    pub(crate) opens: usize,
    pub(crate) open_result: f64,
    pub(crate) open_search: f64,
    pub(crate) choices: usize,
    pub(crate) policy: f64,
    /// How often the searched move came first, and among the first five.
    pub(crate) first: usize,
    pub(crate) five: usize,
}

impl Loss {
    /// Bytes of its fields.
    pub(crate) const BYTES: usize = 13 * 8;

    /// Its fields one after the other.
    pub(crate) fn to_bytes(self) -> Vec<u8> {
        let counts = [
            self.samples,
            self.values,
            self.results,
            self.opens,
            self.choices,
            self.first,
            self.five,
        ];
        let sums =
            [self.value, self.result, self.search, self.open_result, self.open_search, self.policy];
        let counts = counts.into_iter().flat_map(|count| (count as u64).to_le_bytes());
        counts.chain(sums.into_iter().flat_map(f64::to_le_bytes)).collect()
    }

    /// What [`Loss::to_bytes`] made.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Loss> {
        let mut eights = bytes.chunks_exact(8).filter_map(|eight| eight.try_into().ok());
        let mut count = || usize::try_from(u64::from_le_bytes(eights.next()?)).ok();
        let [samples, values, results, opens, choices, first, five] =
            [count()?, count()?, count()?, count()?, count()?, count()?, count()?];
        let mut sum = || eights.next().map(f64::from_le_bytes);
        Some(Loss {
            samples,
            values,
            results,
            opens,
            choices,
            first,
            five,
            value: sum()?,
            result: sum()?,
            search: sum()?,
            open_result: sum()?,
            open_search: sum()?,
            policy: sum()?,
        })
    }

    pub(crate) fn add(&mut self, other: &Loss) {
        self.samples += other.samples;
        self.values += other.values;
        self.value += other.value;
        self.results += other.results;
        self.result += other.result;
        self.search += other.search;
        self.opens += other.opens;
        self.open_result += other.open_result;
        self.open_search += other.open_search;
        self.choices += other.choices;
        self.policy += other.policy;
        self.first += other.first;
        self.five += other.five;
    }
}

type Row = [f32; CHANNELS];

#[inline(always)]
fn row(parameters: &[f32], at: usize) -> &Row {
    parameters[at..].first_chunk().unwrap_or(&[0.0; CHANNELS])
}

/// What the head makes of the pools: its inputs, the sums of both hidden layers, the logit.
struct Forward {
    inputs: [f32; POOLS],
    h: [f32; HIDDEN],
    g: [f32; LAST],
    logit: f32,
}

/// Room for one sample's intermediate results.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    x: Vec<[Row; 2]>,
    logits: Vec<f32>,
}

impl Model {
    pub(crate) fn new(rule: Rule, policy_part: f32) -> Model {
        Model { rule, policy_part }
    }

    pub(crate) fn count(self) -> usize {
        shape::size(self.rule)
    }

    fn head(self, color: Color) -> Head {
        Head { first: shape::head_start(self.rule, shape::table_of(self.rule, color)) }
    }

    /// Numbers of all tables.
    pub(crate) fn row_numbers(self) -> usize {
        shape::tables(self.rule) * TABLE
    }

    /// Parameters to begin with: the network says what the classical evaluation says.
    pub(crate) fn start(self, parts: &Parts, seed: u64) -> Vec<f32> {
        let mut rng = Rng::new(seed);
        let mut any = |range: f32| {
            let part = u16::try_from(rng.below(1 << 16)).unwrap_or(0);
            (f32::from(part) / 32768.0 - 1.0) * range
        };
        let mut parameters = vec![0.0; parts.count()];
        for parameter in &mut parameters[..self.row_numbers()] {
            *parameter = any(0.02);
        }
        for parameter in &mut parameters[self.count()..] {
            *parameter = any(0.04);
        }
        for table in 0..shape::tables(self.rule) {
            let head = Head { first: shape::head_start(self.rule, table) };
            for at in 0..POOLS * HIDDEN {
                parameters[head.w1() + at] = any(0.15);
            }
            for at in 0..HIDDEN {
                parameters[head.b1() + at] = 0.2;
            }
            for at in 0..HIDDEN * LAST {
                parameters[head.w2() + at] = any(0.2);
            }
            for at in 0..LAST {
                parameters[head.b2() + at] = 0.1;
                parameters[head.w3() + at] = any(0.05);
            }
            parameters[head.skip()] = 1.0;
            parameters[head.rank()] = 1.0;
        }
        parameters
    }

    /// The six rows of a square as one side sees it, in the table that begins there.
    #[inline(always)]
    fn rows(seen: &Seen, side: usize, start: usize) -> [usize; 6] {
        let [a, b, c, d] = seen.windows[side].map(|window| start + window_row(usize::from(window)));
        let own = start + own_row(usize::from(seen.sets[side]));
        [a, b, c, d, own, start + other_row(usize::from(seen.sets[1 - side]))]
    }

    /// The channels of all squares into `x`, and their pools.
    fn look(
        cells: &[Seen],
        tables: [usize; 2],
        parameters: &[f32],
        x: &mut Vec<[Row; 2]>,
    ) -> [Row; 2] {
        x.clear();
        let mut pools = [[0.0f32; CHANNELS]; 2];
        for seen in cells {
            let mut both = [[0.0; CHANNELS]; 2];
            for side in 0..2 {
                let mut sum = [0.0; CHANNELS];
                for at in Model::rows(seen, side, tables[side]) {
                    let row = row(parameters, at);
                    for channel in 0..CHANNELS {
                        sum[channel] += row[channel];
                    }
                }
                if seen.is_active {
                    for channel in 0..CHANNELS {
                        pools[side][channel] += sum[channel].clamp(0.0, 1.0);
                    }
                }
                both[side] = sum;
            }
            x.push(both);
        }
        pools
    }

    /// The head from the pools on.
    fn forward(self, sample: &Sample, pools: &[Row; 2], parameters: &[f32]) -> Forward {
        let head = self.head(sample.mover);
        let mut inputs = [0.0; POOLS];
        for (at, input) in inputs.iter_mut().enumerate() {
            *input = pools[at / CHANNELS][at % CHANNELS] * POOL_PART;
        }
        let mut h = [0.0; HIDDEN];
        let mask = &parameters[head.mask(sample.mask)..][..HIDDEN];
        let b1 = &parameters[head.b1()..][..HIDDEN];
        for at in 0..HIDDEN {
            h[at] = b1[at] + mask[at];
        }
        for (at, &input) in inputs.iter().enumerate() {
            let weights = &parameters[head.w1() + at * HIDDEN..][..HIDDEN];
            for out in 0..HIDDEN {
                h[out] += input * weights[out];
            }
        }
        let mut g = [0.0; LAST];
        g.copy_from_slice(&parameters[head.b2()..][..LAST]);
        for at in 0..HIDDEN {
            let weights = &parameters[head.w2() + at * LAST..][..LAST];
            let input = h[at].clamp(0.0, TOP);
            for out in 0..LAST {
                g[out] += input * weights[out];
            }
        }
        let w3 = &parameters[head.w3()..][..LAST];
        let classical = sample.classical;
        let mut logit = parameters[head.b3()] + parameters[head.skip()] * classical;
        for at in 0..LAST {
            logit += g[at].clamp(0.0, TOP) * w3[at];
        }
        Forward { inputs, h, g, logit }
    }

    /// The logit of a sample's value, without the part of the classical one.
    #[cfg(test)]
    fn logit(self, samples: &Samples, sample: &Sample, parameters: &[f32]) -> f32 {
        let tables = self.tables(sample);
        let cells = samples.cells_of(sample);
        let pools = Model::look(cells, tables, parameters, &mut Vec::new());
        let bare = Sample { classical: 0.0, ..sample.clone() };
        self.forward(&bare, &pools, parameters).logit
    }

    /// Where the tables of the side to move and the other one begin.
    fn tables(self, sample: &Sample) -> [usize; 2] {
        let sides = [sample.mover, sample.mover.opponent()];
        sides.map(|color| shape::table_of(self.rule, color) * TABLE)
    }

    /// What a sample costs; the slope is added to `gradient` where one is wanted.
    pub(crate) fn sample(
        self,
        samples: &Samples,
        sample: &Sample,
        parameters: &[f32],
        scratch: &mut Scratch,
        gradient: Option<&mut [f32]>,
    ) -> Loss {
        let cells = samples.cells_of(sample);
        let tables = self.tables(sample);
        let head = self.head(sample.mover);
        let mut loss = Loss { samples: 1, ..Loss::default() };

        let Scratch { x, logits } = scratch;
        let pools = Model::look(cells, tables, parameters, x);

        // Value.
        let mut pool_slopes = [[0.0f32; CHANNELS]; 2];
        let mut slot = gradient;
        if let Some(target) = sample.value {
            let Forward { inputs, h, g, logit } = self.forward(sample, &pools, parameters);
            let classical = sample.classical;
            let w3 = &parameters[head.w3()..][..LAST];
            loss.values = 1;
            loss.value = f64::from(cross_entropy(logit, target.chance));
            if let Some(result) = target.result {
                loss.results = 1;
                loss.result = f64::from(cross_entropy(logit, result));
                loss.search = f64::from(cross_entropy(target.search, result));
                if target.is_open {
                    loss.opens = 1;
                    loss.open_result = loss.result;
                    loss.open_search = loss.search;
                }
            }
            if let Some(gradient) = slot.as_deref_mut() {
                let slope = sigmoid(logit) - target.chance;
                gradient[head.b3()] += slope;
                gradient[head.skip()] += slope * classical;
                let mut g_slopes = [0.0; LAST];
                for at in 0..LAST {
                    gradient[head.w3() + at] += slope * g[at].clamp(0.0, TOP);
                    g_slopes[at] = if g[at] > 0.0 && g[at] < TOP { slope * w3[at] } else { 0.0 };
                    gradient[head.b2() + at] += g_slopes[at];
                }
                let mut h_slopes = [0.0; HIDDEN];
                for at in 0..HIDDEN {
                    let input = h[at].clamp(0.0, TOP);
                    let weights = &parameters[head.w2() + at * LAST..][..LAST];
                    let slopes = &mut gradient[head.w2() + at * LAST..][..LAST];
                    let mut back = 0.0;
                    for out in 0..LAST {
                        slopes[out] += input * g_slopes[out];
                        back += weights[out] * g_slopes[out];
                    }
                    h_slopes[at] = if h[at] > 0.0 && h[at] < TOP { back } else { 0.0 };
                }
                for at in 0..HIDDEN {
                    gradient[head.b1() + at] += h_slopes[at];
                    gradient[head.mask(sample.mask) + at] += h_slopes[at];
                }
                for (at, &input) in inputs.iter().enumerate() {
                    let weights = &parameters[head.w1() + at * HIDDEN..][..HIDDEN];
                    let slopes = &mut gradient[head.w1() + at * HIDDEN..][..HIDDEN];
                    let mut back = 0.0;
                    for out in 0..HIDDEN {
                        slopes[out] += input * h_slopes[out];
                        back += weights[out] * h_slopes[out];
                    }
                    pool_slopes[at / CHANNELS][at % CHANNELS] = back * POOL_PART;
                }
            }
        }

        // Policy.
        let policy = &parameters[head.policy()..][..POOLS];
        let has_policy = sample.best.is_some();
        if let Some(best) = sample.best {
            logits.clear();
            let rank_weight = parameters[head.rank()];
            for (seen, both) in cells.iter().zip(x.iter()) {
                let logit = match seen.choice {
                    None => f32::NEG_INFINITY,
                    Some(rank) => {
                        let mut logit = rank_weight * f32::from(rank) / RANK_UNIT;
                        for (side, sums) in both.iter().enumerate() {
                            for channel in 0..CHANNELS {
                                let y = sums[channel].clamp(0.0, 1.0);
                                logit += y * policy[side * CHANNELS + channel];
                            }
                        }
                        logit
                    }
                };
                logits.push(logit);
            }
            let top = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let best = best as usize;
            let best_logit = logits[best];
            let better = logits.iter().filter(|&&logit| logit > best_logit).count();
            let sum: f32 = logits.iter().map(|logit| (logit - top).exp()).sum();
            loss.choices = 1;
            loss.policy = f64::from(sum.ln() + top - best_logit);
            loss.first = usize::from(better == 0);
            loss.five = usize::from(better < 5);
            // From here on they are slopes.
            for (at, logit) in logits.iter_mut().enumerate() {
                let chance = (*logit - top).exp() / sum;
                *logit = (chance - f32::from(u8::from(at == best))) * self.policy_part;
            }
        }

        // Back to the rows.
        if let Some(gradient) = slot {
            let mut policy_slopes = [0.0f32; POOLS];
            let mut rank_slope = 0.0;
            for (at, (seen, both)) in cells.iter().zip(x.iter()).enumerate() {
                let slope = if has_policy && seen.choice.is_some() { logits[at] } else { 0.0 };
                if let (true, Some(rank)) = (has_policy, seen.choice) {
                    rank_slope += slope * f32::from(rank) / RANK_UNIT;
                }
                let pooled = if seen.is_active { 1.0 } else { 0.0 };
                for side in 0..2 {
                    let mut back = [0.0; CHANNELS];
                    let sums = &both[side];
                    let weights: &Row = row(policy, side * CHANNELS);
                    for channel in 0..CHANNELS {
                        let sum = sums[channel];
                        let open = if sum > 0.0 && sum < 1.0 { 1.0 } else { 0.0 };
                        policy_slopes[side * CHANNELS + channel] += slope * sum.clamp(0.0, 1.0);
                        back[channel] =
                            open * (slope * weights[channel] + pooled * pool_slopes[side][channel]);
                    }
                    for at in Model::rows(seen, side, tables[side]) {
                        let slopes: &mut Row = match gradient[at..].first_chunk_mut() {
                            Some(slopes) => slopes,
                            None => continue,
                        };
                        for channel in 0..CHANNELS {
                            slopes[channel] += back[channel];
                        }
                    }
                }
            }
            gradient[head.rank()] += rank_slope;
            for (at, slope) in policy_slopes.into_iter().enumerate() {
                gradient[head.policy() + at] += slope;
            }
        }
        loss
    }
}

#[cfg(test)]
#[expect(clippy::cast_possible_truncation, reason = "losses are small numbers")]
mod tests {
    use super::*;
    use crate::data::tests::random_samples;
    use crate::export;
    use tengen::eval::Evaluation;
    use tengen::eval::classical::threats;
    use tengen::eval::network::state::NetworkState;
    use tengen::eval::network::weights::RuleNetwork;
    use tengen::position::Position;
    use tengen::types::size::BoardSize;

    #[test]
    fn the_slope_is_that_of_the_loss() {
        for rule in [Rule::Freestyle, Rule::Renju] {
            let samples = random_samples(rule, 3, 12);
            let model = Model::new(rule, 0.5);
            let parts = Parts::new(rule);
            let mut rng = Rng::new(4);
            let mut numbers = Vec::new();
            parts.expand(&model.start(&parts, 2), &mut numbers);
            let mut scratch = Scratch::default();
            let mut cost = |numbers: &[f32], slope: Option<&mut [f32]>| {
                let mut loss = Loss::default();
                let mut slope = slope;
                for sample in &samples.list {
                    let slope = slope.as_deref_mut();
                    loss.add(&model.sample(&samples, sample, numbers, &mut scratch, slope));
                }
                loss.value + 0.5 * loss.policy
            };
            let mut slope = vec![0.0; model.count()];
            cost(&numbers, Some(&mut slope));
            let steep: Vec<usize> = (0..slope.len()).filter(|&at| slope[at].abs() > 0.02).collect();
            assert!(steep.len() > 200, "{rule}: {}", steep.len());
            let mut far = 0;
            for _ in 0..150 {
                let at = steep[rng.below(steep.len())];
                let before = numbers[at];
                let mut side = |step: f32| {
                    numbers[at] = before + step;
                    cost(&numbers, None)
                };
                let found = (side(2e-3) - side(-2e-3)) / 4e-3;
                numbers[at] = before;
                // Where a channel is clipped between the two the slope has a corner.
                let off = (found as f32 - slope[at]).abs();
                far += usize::from(off > 0.05 * slope[at].abs() + 0.02);
            }
            assert!(far <= 8, "{rule}: {far} of 150");
        }
    }

    #[test]
    fn the_engine_says_what_the_trainer_says() {
        let rule = Rule::Renju;
        let model = Model::new(rule, 0.5);
        let parts = Parts::new(rule);
        let mut numbers = Vec::new();
        let mut start = model.start(&parts, 3);
        let rows = model.row_numbers();
        for parameter in &mut start[rows..model.count()] {
            *parameter *= 2.0;
        }
        parts.expand(&start, &mut numbers);
        let section = export::section(rule, &numbers, String::new());
        let network = Box::leak(Box::new(RuleNetwork::new(&section)));
        let mut rng = Rng::new(5);
        let mut seen = 0;
        let mut largest = 0.0f32;
        while seen < 2000 {
            let mut position = Position::with(BoardSize::square(15), rule, Evaluation::Classical);
            for _ in 0..40 {
                let near = position.board().candidates();
                position.play(near.iter().nth(rng.below(near.len())).unwrap());
                let (samples, sample) = crate::data::tests::sample_of(&mut position);
                let (board, patterns) = (position.board(), position.patterns());
                let state = NetworkState::with(network, board, patterns);
                let mover = position.side_to_move();
                let found = state.logit(mover, threats(patterns, mover));
                let found = learning::number::short_of(found) / learning::number::short_of(1 << 20);
                let logit = model.logit(&samples, &sample, &numbers);
                largest = largest.max((found - logit).abs());
                seen += 1;
            }
        }
        assert!(largest < 0.02, "{largest}");
    }
}
