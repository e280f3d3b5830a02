//! Where transaction time comes from. The only clock of the library.

use crate::time::Instant;
use std::sync::atomic::{AtomicI64, Ordering};

/// Tells the time of a write.
pub trait Clock: Send + Sync {
    /// Now, UTC.
    fn now(&self) -> Instant;
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the one place that asks the machine for the time")]
    fn now(&self) -> Instant {
        Instant::from_micros(chrono::Utc::now().timestamp_micros())
    }
}

/// A clock that stands still until it is set; for fixtures, the tour and simulations.
#[derive(Debug)]
pub struct ManualClock(AtomicI64);

impl ManualClock {
    /// A clock that stands at `now`.
    #[must_use]
    pub const fn new(now: Instant) -> Self {
        Self(AtomicI64::new(now.micros()))
    }

    /// Sets it.
    pub fn set(&self, now: Instant) {
        self.0.store(now.micros(), Ordering::Release);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Instant {
        Instant::from_micros(self.0.load(Ordering::Acquire))
    }
}
