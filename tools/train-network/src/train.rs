//! Descent: batches, threads, steps, what is held out.
//!
//! Owns the order of samples, which comes from a seed, and the steps (`AdamW`; Loshchilov and
//! Hutter, arXiv 1711.05101). Sums are joined in a fixed order, so the same games, seed and
//! number of threads give the same parameters to the bit.

use tengen::base::rng::Rng;

use crate::data::{Extractor, Samples, Source};
use crate::model::{Loss, Model, Scratch};
use crate::parts::Parts;
use learning::number::{real, short, short_of};

/// Games that are turned into samples at once, and mixed.
const GAMES_AT_ONCE: usize = 3000;

/// How to descend.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) epochs: usize,
    pub(crate) batch: usize,
    pub(crate) rate: f32,
    /// Part of a row that is lost each step, times the rate.
    pub(crate) decay: f32,
    pub(crate) threads: usize,
    pub(crate) seed: u64,
}

/// What has been learned so far; all that is needed to go on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct State {
    pub(crate) parameters: Vec<f32>,
    pub(crate) mean: Vec<f32>,
    pub(crate) square: Vec<f32>,
    pub(crate) steps: u32,
    pub(crate) epoch: u32,
}

const DECAY_MEAN: f32 = 0.9;
const DECAY_SQUARE: f32 = 0.999;
const TINY: f32 = 1e-8;

impl State {
    pub(crate) fn new(parameters: Vec<f32>) -> State {
        let zeros = vec![0.0; parameters.len()];
        State { parameters, mean: zeros.clone(), square: zeros, steps: 0, epoch: 0 }
    }

    fn step(&mut self, gradient: &[f32], rate: f32, decayed: usize, decay: f32) {
        self.steps += 1;
        let steps = i32::try_from(self.steps).unwrap_or(i32::MAX);
        let bias = 1.0 - DECAY_MEAN.powi(steps);
        let square_bias = 1.0 - DECAY_SQUARE.powi(steps);
        let (rate, unit) = (rate / bias, 1.0 / square_bias);
        let keep = 1.0 - rate * decay;
        let state = self.mean.iter_mut().zip(&mut self.square);
        let moving = self.parameters.iter_mut().zip(gradient).zip(state).enumerate();
        for (at, ((parameter, &slope), (mean, square))) in moving {
            *mean = DECAY_MEAN * *mean + (1.0 - DECAY_MEAN) * slope;
            *square = DECAY_SQUARE * *square + (1.0 - DECAY_SQUARE) * slope * slope;
            let step = rate * *mean / ((*square * unit).sqrt() + TINY);
            *parameter = if at < decayed { *parameter * keep } else { *parameter } - step;
        }
    }
}

/// Losses of some samples, and the slope of their sum.
fn slopes(
    model: Model,
    samples: &Samples,
    batch: &[u32],
    parameters: &[f32],
    gradients: &mut [Vec<f32>],
) -> Loss {
    let part = batch.len().div_ceil(gradients.len()).max(1);
    let losses: Vec<Loss> = std::thread::scope(|scope| {
        let work: Vec<_> = batch
            .chunks(part)
            .zip(gradients.iter_mut())
            .map(|(batch, gradient)| {
                scope.spawn(move || {
                    gradient.fill(0.0);
                    let mut scratch = Scratch::default();
                    let mut loss = Loss::default();
                    for &at in batch {
                        let sample = &samples.list[at as usize];
                        let slope = Some(&mut gradient[..]);
                        loss.add(&model.sample(samples, sample, parameters, &mut scratch, slope));
                    }
                    loss
                })
            })
            .collect();
        work.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    let used = batch.len().div_ceil(part);
    let size = 1.0 / short_of(i32::try_from(batch.len()).unwrap_or(1));
    let (first, rest) = gradients.split_at_mut(1);
    for slope in &mut first[0] {
        *slope *= size;
    }
    for other in &rest[..used - 1] {
        for (sum, more) in first[0].iter_mut().zip(other) {
            *sum += size * more;
        }
    }
    let mut loss = Loss::default();
    for part in &losses {
        loss.add(part);
    }
    loss
}

/// What games cost, without learning from them.
pub(crate) fn measure(
    model: Model,
    extractor: &Extractor,
    games: &[Source],
    parameters: &[f32],
    threads: usize,
) -> Loss {
    let mut all = Loss::default();
    for games in games.chunks(GAMES_AT_ONCE) {
        let samples = extractor.of_games(games, threads);
        let part = samples.list.len().div_ceil(threads).max(1);
        let losses: Vec<Loss> = std::thread::scope(|scope| {
            let samples = &samples;
            let work: Vec<_> = samples
                .list
                .chunks(part)
                .map(|list| {
                    scope.spawn(move || {
                        let mut scratch = Scratch::default();
                        let mut loss = Loss::default();
                        for sample in list {
                            let none = None;
                            loss.add(&model.sample(
                                samples,
                                sample,
                                parameters,
                                &mut scratch,
                                none,
                            ));
                        }
                        loss
                    })
                })
                .collect();
            work.into_iter().filter_map(|thread| thread.join().ok()).collect()
        });
        for loss in &losses {
            all.add(loss);
        }
    }
    all
}

/// Goes through all games once; `done` hears of each so many games.
pub(crate) fn epoch(
    (model, parts, extractor): (Model, &Parts, &Extractor),
    games: &[Source],
    settings: &Settings,
    state: &mut State,
    mut done: impl FnMut(usize),
) -> Loss {
    let mut rng = Rng::new(settings.seed ^ (u64::from(state.epoch) + 1) << 32);
    let mut order: Vec<Source> = games.to_vec();
    for at in (1..order.len()).rev() {
        order.swap(at, rng.below(at + 1));
    }
    let decayed = model.row_numbers();
    let mut gradients = vec![vec![0.0; parts.count()]; settings.threads];
    let mut numbers = Vec::new();
    let mut all = Loss::default();
    let chunks = order.len().div_ceil(GAMES_AT_ONCE).max(1);
    for (nth, games) in order.chunks(GAMES_AT_ONCE).enumerate() {
        let samples = extractor.of_games(games, settings.threads);
        let count = u32::try_from(samples.list.len()).unwrap_or(u32::MAX);
        let mut shuffled: Vec<u32> = (0..count).collect();
        for at in (1..shuffled.len()).rev() {
            shuffled.swap(at, rng.below(at + 1));
        }
        let batches = shuffled.len().div_ceil(settings.batch).max(1);
        for (at, batch) in shuffled.chunks(settings.batch).enumerate() {
            let within = (real(nth) + real(at) / real(batches)) / real(chunks);
            let progress = (f64::from(state.epoch) + within) / real(settings.epochs);
            // A short rise, then half a cosine down to a hundredth.
            let fall = 0.505 + 0.495 * (std::f64::consts::PI * progress.min(1.0)).cos();
            let rise = (f64::from(state.steps) / 200.0).min(1.0);
            let rate = settings.rate * short(fall * rise);
            parts.expand(&state.parameters, &mut numbers);
            let loss = slopes(model, &samples, batch, &numbers, &mut gradients);
            parts.gather(&mut gradients[0]);
            state.step(&gradients[0], rate, decayed, settings.decay);
            all.add(&loss);
        }
        done(games.len());
    }
    state.epoch += 1;
    all
}
