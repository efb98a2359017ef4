//! Gradient descent on any problem that can say its loss and gradient.
//!
//! Owns batches, threads and the steps (Adam; Kingma and Ba, arXiv 1412.6980). The order of
//! samples comes from a seed and sums are joined in a fixed order, so the same data, seed and
//! number of threads give the same weights to the bit.

use tengen::base::rng::Rng;

use crate::layout::{Layout, Prior};
use learning::number::{real, short};

/// Samples with a loss.
pub(crate) trait Problem: Sync {
    /// Number of samples.
    fn count(&self) -> usize;

    /// The loss of a sample; its gradient with regard to the tables is added to `gradient`.
    fn sample(&self, sample: usize, tables: &[f32], gradient: Option<&mut [f32]>) -> f32;
}

/// How to descend.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// Rounds over all samples.
    pub(crate) epochs: usize,
    /// Samples of a step.
    pub(crate) batch: usize,
    /// Length of the first steps, in weights; it falls to nothing by a half cosine.
    pub(crate) rate: f32,
    pub(crate) threads: usize,
    pub(crate) seed: u64,
}

/// Losses per sample before the first and after each epoch.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    /// Of what is learned from; without the prior.
    pub(crate) train: Vec<f64>,
    /// Of what is held out.
    pub(crate) held_out: Vec<f64>,
}

/// The mean loss of tables on a problem, and of some samples of it with the gradient.
fn evaluate(
    problem: &impl Problem,
    samples: &[u32],
    tables: &[f32],
    threads: usize,
    with_gradient: bool,
) -> (f64, Vec<f32>) {
    let part = samples.len().div_ceil(threads).max(1);
    let results: Vec<(f64, Vec<f32>)> = std::thread::scope(|scope| {
        let work = samples.chunks(part).map(|samples| {
            scope.spawn(move || {
                let mut gradient = vec![0.0; if with_gradient { tables.len() } else { 0 }];
                let mut loss = 0.0;
                for &sample in samples {
                    let wanted = with_gradient.then_some(&mut gradient[..]);
                    loss += f64::from(problem.sample(sample as usize, tables, wanted));
                }
                (loss, gradient)
            })
        });
        let work: Vec<_> = work.collect();
        work.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    let mut results = results.into_iter();
    let (mut loss, mut gradient) = results.next().unwrap_or_default();
    for (more, further) in results {
        loss += more;
        gradient.iter_mut().zip(further).for_each(|(sum, part)| *sum += part);
    }
    (loss / real(samples.len().max(1)), gradient)
}

/// The mean loss of tables on a problem.
pub(crate) fn mean_loss(problem: &impl Problem, tables: &[f32], threads: usize) -> f64 {
    evaluate(problem, &numbers(problem), tables, threads, false).0
}

fn numbers(problem: &impl Problem) -> Vec<u32> {
    (0..u32::try_from(problem.count()).unwrap_or(u32::MAX)).collect()
}

/// Descends from `start`; `watch` hears of each epoch. Parameters that are `fixed` stay.
pub(crate) fn train<P: Problem>(
    (learn, held_out): (&P, &P),
    layout: &Layout,
    start: &[f32],
    (prior, fixed): (&Prior, &[bool]),
    settings: &Settings,
    mut watch: impl FnMut(usize, &History),
) -> (Vec<f32>, History) {
    let mut parameters = start.to_vec();
    let mut adam = Adam::new(parameters.len());
    let mut rng = Rng::new(settings.seed);
    let mut order = numbers(learn);
    let mut history = History::default();
    let samples = short(real(order.len().max(1)));
    let batches = order.len().div_ceil(settings.batch);
    let steps = real((batches * settings.epochs).max(1));
    let mut step = 0;
    for epoch in 0..=settings.epochs {
        let tables = layout.expand(&parameters);
        history.train.push(mean_loss(learn, &tables, settings.threads));
        history.held_out.push(mean_loss(held_out, &tables, settings.threads));
        watch(epoch, &history);
        if epoch == settings.epochs {
            break;
        }
        for at in (1..order.len()).rev() {
            order.swap(at, rng.below(at + 1));
        }
        for batch in order.chunks(settings.batch) {
            let tables = layout.expand(&parameters);
            let (_, entries) = evaluate(learn, batch, &tables, settings.threads, true);
            let mut gradient = layout.gather(&entries);
            let size = short(real(batch.len()));
            for (at, slope) in gradient.iter_mut().enumerate() {
                let pull = prior.pull[at] * (parameters[at] - prior.center[at]);
                *slope = if fixed[at] { 0.0 } else { *slope / size + pull / samples };
            }
            let progress = real(step) / steps;
            let rate = settings.rate * short(0.5 + 0.5 * (std::f64::consts::PI * progress).cos());
            adam.step(&mut parameters, &gradient, rate);
            step += 1;
        }
    }
    (parameters, history)
}

/// The state of Adam.
struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    /// The decays to the power of the steps so far.
    decays: (f32, f32),
}

const DECAY_MEAN: f32 = 0.9;
const DECAY_SQUARE: f32 = 0.999;
/// Keeps parameters without a gradient where they are.
const TINY: f32 = 1e-9;

impl Adam {
    fn new(parameters: usize) -> Adam {
        let zeros = vec![0.0; parameters];
        Adam { mean: zeros.clone(), square: zeros, decays: (1.0, 1.0) }
    }

    fn step(&mut self, parameters: &mut [f32], gradient: &[f32], rate: f32) {
        self.decays = (self.decays.0 * DECAY_MEAN, self.decays.1 * DECAY_SQUARE);
        let (bias, square_bias) = (1.0 - self.decays.0, 1.0 - self.decays.1);
        let state = self.mean.iter_mut().zip(&mut self.square);
        for ((parameter, &slope), (mean, square)) in parameters.iter_mut().zip(gradient).zip(state)
        {
            *mean = DECAY_MEAN * *mean + (1.0 - DECAY_MEAN) * slope;
            *square = DECAY_SQUARE * *square + (1.0 - DECAY_SQUARE) * slope * slope;
            *parameter -= rate * (*mean / bias) / ((*square / square_bias).sqrt() + TINY);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{Block, Spread};

    /// Each sample asks one entry of the table to be a number.
    struct Squares(Vec<(usize, f32)>);

    impl Problem for Squares {
        fn count(&self) -> usize {
            self.0.len()
        }

        fn sample(&self, sample: usize, tables: &[f32], gradient: Option<&mut [f32]>) -> f32 {
            let (entry, target) = self.0[sample];
            let off = tables[entry] - target;
            if let Some(gradient) = gradient {
                gradient[entry] += 2.0 * off;
            }
            off * off
        }
    }

    #[test]
    fn descent_finds_the_minimum_and_is_the_same_each_time() {
        let layout = Layout::new(vec![Block::Threats]);
        let problem = Squares((0..2048).map(|mask| (mask, [3.0, -5.0][mask & 1])).collect());
        let start = vec![0.0; layout.parameters()];
        let wide = Spread { part: 1000.0, set: 1000.0, mask: 1000.0 };
        let prior = layout.prior(&start, wide);
        let fixed = vec![false; start.len()];
        let settings = Settings { epochs: 60, batch: 256, rate: 0.3, threads: 2, seed: 1 };
        let run = || {
            let problems = (&problem, &problem);
            train(problems, &layout, &start, (&prior, &fixed), &settings, |_, _| ())
        };
        let (parameters, history) = run();
        assert!(history.held_out[60] < 0.01 * history.held_out[0], "{:?}", history.held_out);
        assert_eq!(run().0, parameters);
        let fixed = vec![true; start.len()];
        let problems = (&problem, &problem);
        let kept = train(problems, &layout, &start, (&prior, &fixed), &settings, |_, _| ()).0;
        assert_eq!(kept, start);
    }
}
