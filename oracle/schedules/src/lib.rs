//! The one data structure of the checker that threads share without locks, under every schedule.
//!
//! The text of the interner is the product's own; its atomics are those of `loom`, which runs a
//! model once for every order in which the threads can be scheduled (with a bound on how often one
//! has to make way for another) and every value that the memory model of C11 lets a load see. Sizes
//! are tiny, so that there are few schedules and every rare event happens: segments are made by two
//! threads at once, slots collide, the table fills.

#[allow(dead_code, reason = "the model uses a part of it")]
#[path = "../../../checker/src/store/account.rs"]
mod account;
#[allow(dead_code, reason = "the model uses a part of it")]
#[path = "../../../checker/src/store/interner.rs"]
mod interner;
mod shared;

use account::Account;
use interner::{Interner, Recent};
use loom::sync::Arc;
use loom::thread;

fn numbers(interner: &Interner<1>, account: &Account, values: &[u64]) -> Option<Vec<u32>> {
    let (mut numbers, mut recent) = (Vec::new(), Recent::new());
    let interned = interner.intern(values, &mut numbers, &mut recent, account);
    interned.ok().map(|()| numbers)
}

/// Two threads intern these values, with at most three switches from a thread that could go on;
/// both must get the same numbers for the same values, different ones for different values, and
/// find the values under them. A table that is full may say so.
pub fn agree(left: &'static [u64], right: &'static [u64], hash_mask: u64, slots: usize) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(move || {
        let account = Arc::new(Account::new(None));
        let interner = Arc::new(Interner::new(slots, hash_mask, &account).expect("no limit"));
        let other = {
            let (interner, account) = (Arc::clone(&interner), Arc::clone(&account));
            thread::spawn(move || numbers(&interner, &account, right))
        };
        let own = numbers(&interner, &account, left);
        let other = other.join().expect("it does not panic");
        let mut known: Vec<(u64, u32)> = Vec::new();
        for (values, numbers) in [(left, own), (right, other)] {
            let Some(numbers) = numbers else {
                continue;
            };
            for (&value, &number) in values.iter().zip(&numbers) {
                assert_eq!(interner.value(number), [value], "numbers name their values");
                for &(before, its) in &known {
                    assert_eq!(before == value, its == number, "one number for each value");
                }
                known.push((value, number));
            }
        }
    });
}
