//! What the interner is built from, in a model.

pub(super) use loom::sync::atomic::{AtomicU32, AtomicU64};

/// The first four segments hold this many values together.
pub(super) const FIRST_SEGMENTS: usize = 4;

/// Enough for the values of a model.
pub(super) const SEGMENTS: usize = 8;

/// The fewest slots there are.
pub(super) const LEAST_SLOTS: usize = 2;

/// Written once. Like its namesake in the standard library; `loom` has none.
#[derive(Debug)]
pub(super) struct OnceLock<T: 'static>(loom::sync::Mutex<Option<&'static T>>);

impl<T: 'static> OnceLock<T> {
    pub(super) fn new() -> Self {
        Self(loom::sync::Mutex::new(None))
    }

    pub(super) fn get(&self) -> Option<&T> {
        *self.0.lock().expect("no thread panics in here")
    }

    pub(super) fn set(&self, value: T) -> Result<(), T> {
        let mut held = self.0.lock().expect("no thread panics in here");
        if held.is_some() {
            return Err(value);
        }
        // A model is small and does not live long.
        *held = Some(Box::leak(Box::new(value)));
        Ok(())
    }
}
