//! Strong bisimulation against another implementation, on machines too large for naive judges.

use std::sync::Arc;

use csp_checker::budget::Budget;
use csp_checker::compress;
use csp_checker::{NoObserver, Options};
use csp_lts::{EventId, EventSet, Lts, LtsBuilder, StateId};
use merc_lts::{LTS, LabelIndex, LabelledTransitionSystem, StateIndex};
use merc_reduction::{Equivalence, reduce_lts};
use merc_utilities::Timing;

/// SplitMix64 (Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        u32::try_from((z ^ z >> 31) % u64::from(bound)).expect("below a u32")
    }
}

fn ours(rows: &[Vec<(u32, u32)>]) -> Lts {
    let mut builder = LtsBuilder::new();
    for row in rows {
        builder.state(row.iter().map(|&(event, target)| {
            let event = if event == 0 {
                0
            } else {
                event + EventId::FIRST.0
            };
            (Arc::new(EventSet::single(EventId(event))), StateId(target))
        }));
    }
    builder.finish(StateId(0))
}

fn theirs(rows: &[Vec<(u32, u32)>], events: u32) -> LabelledTransitionSystem<String> {
    let labels = (0..events).map(|event| {
        if event == 0 {
            "τ".to_owned()
        } else {
            format!("a{event}")
        }
    });
    let initial = StateIndex::new(0);
    LabelledTransitionSystem::with_successors(initial, rows.len(), labels.collect(), |state| {
        rows[state.value()].iter().map(|&(event, target)| {
            (
                LabelIndex::new(event as usize),
                StateIndex::new(target as usize),
            )
        })
    })
}

#[test]
fn numbers_of_strong_classes_agree() {
    let mut random = Random(13);
    for round in 0..30 {
        let states = 100 + random.below(3000);
        let (events, degree) = (1 + random.below(3), 1 + random.below(3));
        // Targets within a window make machines with many bisimilar states.
        let window = if round % 2 == 0 {
            states
        } else {
            1 + random.below(20)
        };
        let rows: Vec<Vec<(u32, u32)>> = (0..states)
            .map(|state| {
                let mut row: Vec<_> = (0..random.below(degree + 1))
                    .map(|_| {
                        let target = (state + 1 + random.below(window)) % states;
                        (random.below(events), target)
                    })
                    .collect();
                // Every state is reached, since ours leaves out those that are not.
                row.push((0, (state + 1) % states));
                row.sort_unstable();
                row.dedup();
                row
            })
            .collect();
        let reduced = reduce_lts(
            theirs(&rows, events),
            Equivalence::StrongBisim,
            true,
            &Timing::new(),
        );
        let options = Options::default();
        let quotient = compress::sbisim(&ours(&rows), &Budget::new(&options, &NoObserver));
        let classes = quotient.expect("there is no limit").state_count();
        assert_eq!(classes, reduced.num_of_states());
    }
}
