//! From a state and a rule that can fire in it to the states that follow.

use super::rule::{Code, RuleCode};

impl Code {
    /// Calls back with every state that a rule can lead to. It is lent, because a copy of words that
    /// have just been written makes the processor wait.
    #[inline(always)]
    pub(super) fn fire<const N: usize>(
        &self,
        rule: &RuleCode,
        state: &[u64; N],
        mut f: impl FnMut(&mut [u64; N]),
    ) {
        let mut child = *state;
        self.apply(rule, state, &mut child);
        if Self::branch_count(rule) == 0 {
            f(&mut child);
        } else {
            self.fire_branches(rule, state, 0, &child, &mut f);
        }
    }

    fn fire_branches<const N: usize>(
        &self,
        rule: &RuleCode,
        state: &[u64; N],
        index: usize,
        child: &[u64; N],
        f: &mut impl FnMut(&mut [u64; N]),
    ) {
        let (field, targets) = self.branch(rule, index, state);
        for target in targets {
            let mut child = *child;
            field.set(&mut child, *target);
            if index + 1 == Self::branch_count(rule) {
                f(&mut child);
            } else {
                self.fire_branches(rule, state, index + 1, &child, f);
            }
        }
    }

    /// The state that a rule leads to if every branching participant takes its first target.
    pub(super) fn fire_first<const N: usize>(&self, rule: &RuleCode, state: &[u64; N]) -> [u64; N] {
        let mut child = *state;
        self.apply(rule, state, &mut child);
        for index in 0..Self::branch_count(rule) {
            let (field, targets) = self.branch(rule, index, state);
            field.set(&mut child, targets[0]);
        }
        child
    }

    /// How many states a rule leads to.
    pub(super) fn choices<const N: usize>(&self, rule: &RuleCode, state: &[u64; N]) -> u64 {
        (0..Self::branch_count(rule))
            .map(|index| self.branch(rule, index, state).1.len() as u64)
            .product()
    }
}
