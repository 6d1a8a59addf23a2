//! Algebraic laws up to strong bisimulation on random arguments, and equations that are no laws.

use csp_compiler::assemble::{CompileOptions, Compiler};
use csp_compiler::leaf::{Explored, explore as explore_term};
use csp_compiler::operators::{Operational, Termination};
use csp_compiler::process::{Process, ProcessId, Processes};
use csp_lts::Lts;

use crate::explorer::{Tabulate, bisimilar, explore};
use crate::random::{Random, process};
use crate::table::{Table, set};

type Side = fn(&mut Table, [ProcessId; 3]) -> ProcessId;

/// An equation between terms in three processes.
struct Equation {
    name: &'static str,
    left: Side,
    right: Side,
}

const LAWS: &[Equation] = &[
    Equation {
        name: "P [] Q = Q [] P",
        left: |t, [p, q, _]| t.external(&[p, q]),
        right: |t, [p, q, _]| t.external(&[q, p]),
    },
    Equation {
        name: "(P [] Q) [] R = P [] (Q [] R)",
        left: |t, [p, q, r]| {
            let inner = t.external(&[p, q]);
            t.external(&[inner, r])
        },
        right: |t, [p, q, r]| {
            let inner = t.external(&[q, r]);
            t.external(&[p, inner])
        },
    },
    Equation {
        name: "P [] STOP = P",
        left: |t, [p, _, _]| {
            let stop = t.stop();
            t.external(&[p, stop])
        },
        right: |_, [p, _, _]| p,
    },
    Equation {
        name: "P |~| P = τ P",
        left: |t, [p, _, _]| t.internal(&[p, p]),
        right: |t, [p, _, _]| t.internal(&[p]),
    },
    Equation {
        name: "(P ; Q) ; R = P ; (Q ; R)",
        left: |t, [p, q, r]| {
            let inner = t.sequence(p, q);
            t.sequence(inner, r)
        },
        right: |t, [p, q, r]| {
            let inner = t.sequence(q, r);
            t.sequence(p, inner)
        },
    },
    Equation {
        name: "STOP ; P = STOP",
        left: |t, [p, _, _]| {
            let stop = t.stop();
            t.sequence(stop, p)
        },
        right: |t, _| t.stop(),
    },
    Equation {
        name: "SKIP ; P = τ P",
        left: |t, [p, _, _]| {
            let skip = t.skip();
            t.sequence(skip, p)
        },
        right: |t, [p, _, _]| t.internal(&[p]),
    },
    Equation {
        name: "P [|A|] Q = Q [|A|] P",
        left: |t, [p, q, _]| t.parallel(&[0, 2], &[p, q]),
        right: |t, [p, q, _]| t.parallel(&[0, 2], &[q, p]),
    },
    Equation {
        name: "(P ||| Q) ||| R = P ||| (Q ||| R)",
        left: |t, [p, q, r]| {
            let inner = t.parallel(&[], &[p, q]);
            t.parallel(&[], &[inner, r])
        },
        right: |t, [p, q, r]| {
            let inner = t.parallel(&[], &[q, r]);
            t.parallel(&[], &[p, inner])
        },
    },
    Equation {
        name: "P ||| SKIP = P",
        left: |t, [p, _, _]| {
            let skip = t.skip();
            t.parallel(&[], &[p, skip])
        },
        right: |_, [p, _, _]| p,
    },
    Equation {
        name: "||| of P alone = P",
        left: |t, [p, _, _]| t.parallel(&[], &[p]),
        right: |_, [p, _, _]| p,
    },
    Equation {
        name: "P [|A|] Q = P [Events || A] Q if Q does only A",
        left: |t, [p, q, _]| {
            let q = t.intern(Process::Alphabetised(Box::new([(set(&[0, 1]), q)])));
            t.parallel(&[0, 1], &[p, q])
        },
        right: |t, [p, q, _]| {
            let q = t.intern(Process::Alphabetised(Box::new([(set(&[0, 1]), q)])));
            let members = [(set(&[0, 1, 2, 3]), p), (set(&[0, 1]), q)];
            t.intern(Process::Alphabetised(Box::new(members)))
        },
    },
    Equation {
        name: "(P \\ A) \\ B = P \\ union(A, B)",
        left: |t, [p, _, _]| {
            let inner = t.hide(p, &[0]);
            t.hide(inner, &[1, 2])
        },
        right: |t, [p, _, _]| t.hide(p, &[0, 1, 2]),
    },
    Equation {
        name: "(P ||| Q) \\ A = (P \\ A) ||| (Q \\ A)",
        left: |t, [p, q, _]| {
            let inner = t.parallel(&[], &[p, q]);
            t.hide(inner, &[0, 1])
        },
        right: |t, [p, q, _]| {
            let (p, q) = (t.hide(p, &[0, 1]), t.hide(q, &[0, 1]));
            t.parallel(&[], &[p, q])
        },
    },
    Equation {
        name: "P |\\ A = P \\ (Events - A)",
        left: |t, [p, _, _]| t.intern(Process::Project(p, set(&[1, 2]))),
        right: |t, [p, _, _]| t.hide(p, &[0, 3]),
    },
    Equation {
        name: "renaming distributes over []",
        left: |t, [p, q, _]| {
            let inner = t.external(&[p, q]);
            t.rename(inner, &[(0, 1), (0, 2)])
        },
        right: |t, [p, q, _]| {
            let pairs = [(0, 1), (0, 2)];
            let (p, q) = (t.rename(p, &pairs), t.rename(q, &pairs));
            t.external(&[p, q])
        },
    },
    Equation {
        name: "(P /\\ Q) /\\ R = P /\\ (Q /\\ R)",
        left: |t, [p, q, r]| {
            let inner = t.intern(Process::Interrupt(p, q));
            t.intern(Process::Interrupt(inner, r))
        },
        right: |t, [p, q, r]| {
            let inner = t.intern(Process::Interrupt(q, r));
            t.intern(Process::Interrupt(p, inner))
        },
    },
    Equation {
        name: "P [|{}|> Q = P",
        left: |t, [p, q, _]| t.intern(Process::Exception(p, set(&[]), q)),
        right: |_, [p, _, _]| p,
    },
    Equation {
        name: "P [+{}+] Q = P [] Q",
        left: |t, [p, q, _]| t.intern(Process::SyncExternal(set(&[]), [p, q].into())),
        right: |t, [p, q, _]| t.external(&[p, q]),
    },
    Equation {
        name: "loop(P) = P ; loop(P)",
        left: |t, [p, _, _]| t.intern(Process::Loop(p)),
        right: |t, [p, _, _]| {
            let again = t.intern(Process::Loop(p));
            t.sequence(p, again)
        },
    },
];

/// Equations that hold in no model that looks at τ and ✓ as strong bisimulation does.
const NO_LAWS: &[Equation] = &[
    Equation {
        name: "P [] P = P",
        left: |t, [p, _, _]| t.external(&[p, p]),
        right: |_, [p, _, _]| p,
    },
    Equation {
        name: "P [] Q = P |~| Q",
        left: |t, [p, q, _]| t.external(&[p, q]),
        right: |t, [p, q, _]| t.internal(&[p, q]),
    },
    Equation {
        name: "(P [|A|] Q) \\ A = (P \\ A) [|A|] (Q \\ A)",
        left: |t, [p, q, _]| {
            let inner = t.parallel(&[0, 1], &[p, q]);
            t.hide(inner, &[0, 1])
        },
        right: |t, [p, q, _]| {
            let (p, q) = (t.hide(p, &[0, 1]), t.hide(q, &[0, 1]));
            t.parallel(&[0, 1], &[p, q])
        },
    },
    Equation {
        name: "(P [] Q) \\ A = (P \\ A) [] (Q \\ A)",
        left: |t, [p, q, _]| {
            let inner = t.external(&[p, q]);
            t.hide(inner, &[0, 1])
        },
        right: |t, [p, q, _]| {
            let (p, q) = (t.hide(p, &[0, 1]), t.hide(q, &[0, 1]));
            t.external(&[p, q])
        },
    },
    Equation {
        name: "P ; SKIP = P",
        left: |t, [p, _, _]| {
            let skip = t.skip();
            t.sequence(p, skip)
        },
        right: |_, [p, _, _]| p,
    },
];

/// The side as its semantics lists it and as its network behaves.
fn behaviours(table: &mut Table, side: ProcessId) -> Option<[Lts; 2]> {
    let mut operational = Operational::new(100, Termination::Together);
    let Ok(Explored::Complete(listed)) = explore_term(&mut operational, table, side, 300) else {
        return None;
    };
    let options = CompileOptions {
        leaf_states: 1_000,
        small_leaf: 0,
        nesting: 100,
        ..CompileOptions::default()
    };
    let network = Compiler::new(options)
        .compile(table, side, &Tabulate)
        .ok()?;
    Some([listed, explore(&network, 2_000)?])
}

/// On how many of the random arguments the sides were compared, and on how many they differ.
fn trials(equation: &Equation, seeds: std::ops::Range<u64>) -> (usize, usize) {
    let (mut compared, mut different) = (0, 0);
    for seed in seeds {
        let mut table = Table::default();
        let mut random = Random::new(seed);
        let arguments = [(); 3].map(|()| process(&mut table, &mut random, 2));
        let left = (equation.left)(&mut table, arguments);
        let right = (equation.right)(&mut table, arguments);
        let left = behaviours(&mut table, left);
        let (Some(left), Some(right)) = (left, behaviours(&mut table, right)) else {
            continue;
        };
        compared += 1;
        let same = bisimilar(&left[0], &right[0]);
        assert_eq!(
            same,
            bisimilar(&left[1], &right[1]),
            "{} seed {seed}: terms and networks disagree",
            equation.name
        );
        different += usize::from(!same);
    }
    (compared, different)
}

#[test]
fn laws_hold() {
    for law in LAWS {
        let (compared, different) = trials(law, 0..60);
        assert!(compared > 40, "{}: only {compared} compared", law.name);
        assert_eq!(different, 0, "{} fails", law.name);
    }
}

#[test]
fn other_equations_fail() {
    for equation in NO_LAWS {
        let (_, different) = trials(equation, 0..60);
        assert!(different > 0, "{} was never refuted", equation.name);
    }
}
