//! The clock: that of the system, unless another one is given.

use std::ops::Add;
use std::sync::OnceLock;
use std::time::Duration;

/// How long ago some fixed moment was.
pub type Clock = fn() -> Duration;

static SUPPLIED: OnceLock<Clock> = OnceLock::new();

/// From now on this is the clock. It may not go backwards. Only the first one counts; whether this was the first.
pub fn supply(clock: Clock) -> bool {
    SUPPLIED.set(clock).is_ok()
}

fn reading() -> Duration {
    SUPPLIED.get().map_or_else(system, |clock| clock())
}

#[cfg(not(target_family = "wasm"))]
fn system() -> Duration {
    use std::time::Instant;

    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// Without a clock time stands still: no limit of time is ever reached.
#[cfg(target_family = "wasm")]
fn system() -> Duration {
    Duration::ZERO
}

/// A moment by the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(Duration);

impl Moment {
    /// The present one.
    #[must_use]
    pub fn now() -> Self {
        Self(reading())
    }

    /// How long ago it was.
    #[must_use]
    pub fn elapsed(self) -> Duration {
        reading().saturating_sub(self.0)
    }

    /// A later moment; none if it is too late to be told.
    #[must_use]
    pub fn checked_add(self, later: Duration) -> Option<Self> {
        self.0.checked_add(later).map(Self)
    }
}

/// A later moment, or the last one that can be told.
impl Add<Duration> for Moment {
    type Output = Self;

    fn add(self, later: Duration) -> Self {
        Self(self.0.saturating_add(later))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_ordered_and_have_an_end() {
        let now = Moment::now();
        assert!(now + Duration::from_secs(1) > now);
        assert!(now.checked_add(Duration::MAX).is_none());
        assert_eq!((now + Duration::MAX).elapsed(), Duration::ZERO);
    }
}
