//! Timing and memory of one process. Knows no store.

use std::time::Instant;

/// Latencies of one operation, in nanoseconds, sorted.
pub struct Latencies(Vec<u64>);

impl Latencies {
    pub fn percentile(&self, p: f64) -> f64 {
        let last = self.0.len().saturating_sub(1);
        self.0.get(((self.0.len() as f64 * p) as usize).min(last)).map_or(0.0, |&ns| ns as f64 / 1_000.0)
    }
    /// Median, in microseconds.
    pub fn p50(&self) -> f64 {
        self.percentile(0.5)
    }
    pub fn p99(&self) -> f64 {
        self.percentile(0.99)
    }
}

/// Asks every question once after a warm-up, and returns the answers with the latencies.
pub fn ask<Q, A>(questions: &[Q], mut answer: impl FnMut(&Q) -> A) -> (Vec<A>, Latencies) {
    for question in questions.iter().take(50) {
        std::hint::black_box(answer(question));
    }
    let mut latencies = Vec::with_capacity(questions.len());
    let answers = questions
        .iter()
        .map(|question| {
            let begin = Instant::now();
            let answer = answer(question);
            latencies.push(begin.elapsed().as_nanos() as u64);
            answer
        })
        .collect();
    latencies.sort_unstable();
    (answers, Latencies(latencies))
}

/// Seconds that `work` took, with its result.
pub fn seconds<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let begin = Instant::now();
    let result = work();
    (begin.elapsed().as_secs_f64(), result)
}

/// Resident memory of this process in bytes (0 where the system does not tell).
pub fn resident() -> u64 {
    std::fs::read_to_string("/proc/self/status")
        .ok()
        .and_then(|status| {
            let line = status.lines().find(|line| line.starts_with("VmRSS:"))?.to_owned();
            line.split_whitespace().nth(1)?.parse::<u64>().ok()
        })
        .map_or(0, |kib| kib * 1_024)
}
