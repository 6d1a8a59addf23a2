//! What is left to be tested of rules that may be able to fire.
//!
//! Most candidates fail their first test, so the first tests lie side by side.

use super::rule::{Code, Test};

/// Tests of rules, by the number of the rule.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    list: Vec<Candidate>,
    /// The tests of rules beyond the first.
    rest: Vec<Test>,
}

/// The tests of one rule.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    first: Test,
    /// Where the others lie in `rest`.
    rest: u32,
    others: u32,
}

impl Candidates {
    /// Adds the tests of the next rule, the one that fails most often first.
    pub(super) fn push(&mut self, tests: &[Test]) {
        let (first, others) = match tests {
            [] => (Test::ALWAYS, tests),
            [first, others @ ..] => (*first, others),
        };
        let number = |length| u32::try_from(length).expect("tests are indexed by u32");
        self.list.push(Candidate {
            first,
            rest: number(self.rest.len()),
            others: number(others.len()),
        });
        self.rest.extend_from_slice(others);
    }

    /// Whether all tests of a rule hold of a state.
    #[inline(always)]
    pub(super) fn hold<const N: usize>(&self, code: &Code, rule: u32, state: &[u64; N]) -> bool {
        self.may_hold(code, rule, state) && self.others_hold(code, rule, state)
    }

    /// Whether the first test of a rule holds.
    #[inline(always)]
    pub(super) fn may_hold<const N: usize>(
        &self,
        code: &Code,
        rule: u32,
        state: &[u64; N],
    ) -> bool {
        code.holds(&self.list[rule as usize].first, state)
    }

    /// Whether the tests of a rule beyond the first hold.
    #[inline(always)]
    pub(super) fn others_hold<const N: usize>(
        &self,
        code: &Code,
        rule: u32,
        state: &[u64; N],
    ) -> bool {
        let candidate = &self.list[rule as usize];
        let rest = candidate.rest as usize..(candidate.rest + candidate.others) as usize;
        self.rest[rest].iter().all(|test| code.holds(test, state))
    }
}
