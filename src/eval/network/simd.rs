//! The instructions of newer processors, chosen while the program runs.
//!
//! Owns all `unsafe` of the evaluation. Whatever is used, the numbers are the same: sums are
//! whole and cannot overflow.

use crate::eval::network::weights::Pair;

/// Which instructions may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Simd {
    /// What every processor of the target has.
    Base,
    /// AVX2; made by [`Simd::best`] only.
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Simd {
    /// The best that this processor has.
    pub(super) fn best() -> Simd {
        #[cfg(target_arch = "x86_64")]
        if std::is_x86_feature_detected!("avx2") {
            return Simd::Avx2;
        }
        Simd::Base
    }
}

/// Calls a method, or the same one compiled for AVX2 where that can be used: the name of the
/// field that says so, both methods, their arguments.
macro_rules! dispatch {
    ($self:ident . $simd:ident, $base:ident, $avx2:ident, ($($argument:expr),*)) => {
        match $self.$simd {
            Simd::Base => $self.$base($($argument),*),
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 => {
                #[expect(unsafe_code, reason = "an update of the channels takes half of the time")]
                // SAFETY: `Simd::best` gives this only where AVX2 was detected.
                unsafe {
                    $self.$avx2($($argument),*);
                }
            }
        }
    };
}

pub(super) use dispatch;

/// Adds the products of inputs and weights, pair by pair, to the outputs of a layer.
#[inline]
pub(super) fn add<const OUTPUTS: usize>(
    simd: Simd,
    sums: &mut [i32; OUTPUTS],
    inputs: &[i16],
    weights: &[Pair<OUTPUTS>],
) {
    match simd {
        Simd::Base => add_base(sums, inputs, weights),
        #[cfg(target_arch = "x86_64")]
        Simd::Avx2 => {
            #[expect(unsafe_code, reason = "the head takes half of the time")]
            // SAFETY: `Simd::best` gives this only where AVX2 was detected.
            unsafe {
                avx2::add(sums, inputs, weights);
            }
        }
    }
}

fn add_base<const OUTPUTS: usize>(
    sums: &mut [i32; OUTPUTS],
    inputs: &[i16],
    weights: &[Pair<OUTPUTS>],
) {
    for (inputs, weights) in inputs.chunks_exact(2).zip(weights) {
        let [first, second] = [i32::from(inputs[0]), i32::from(inputs[1])];
        for (sum, &[one, other]) in sums.iter_mut().zip(weights) {
            *sum += first * i32::from(one) + second * i32::from(other);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi32, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_set1_epi32,
        _mm256_storeu_si256,
    };

    use super::Pair;

    /// Numbers of 32 bits in a register.
    const LANES: usize = 8;
    /// Registers for the outputs of a layer.
    const REGISTERS: usize = 4;

    #[target_feature(enable = "avx2")]
    #[expect(unsafe_code, reason = "loads and stores of whole registers")]
    pub(super) fn add<const OUTPUTS: usize>(
        sums: &mut [i32; OUTPUTS],
        inputs: &[i16],
        weights: &[Pair<OUTPUTS>],
    ) {
        const { assert!(OUTPUTS.is_multiple_of(LANES) && OUTPUTS / LANES <= REGISTERS) };
        let mut registers = [_mm256_set1_epi32(0); REGISTERS];
        for (register, sums) in registers.iter_mut().zip(sums.chunks_exact(LANES)) {
            // SAFETY: the slice has as many bytes as a register; no alignment is asked for.
            *register = unsafe { _mm256_loadu_si256(sums.as_ptr().cast()) };
        }
        for (inputs, weights) in inputs.chunks_exact(2).zip(weights) {
            let pair = i32::from(inputs[0]) & 0xffff | i32::from(inputs[1]) << 16;
            let pair = _mm256_set1_epi32(pair);
            for (register, weights) in registers.iter_mut().zip(weights.chunks_exact(LANES)) {
                // SAFETY: eight pairs of 16 bits fill a register; no alignment is asked for.
                let weights: __m256i = unsafe { _mm256_loadu_si256(weights.as_ptr().cast()) };
                *register = _mm256_add_epi32(*register, _mm256_madd_epi16(pair, weights));
            }
        }
        for (register, sums) in registers.iter().zip(sums.chunks_exact_mut(LANES)) {
            // SAFETY: as for the load.
            unsafe { _mm256_storeu_si256(sums.as_mut_ptr().cast(), *register) };
        }
    }
}
