use super::*;

/// A prize is in one of some boxes. One box may be looked into; then one is to be opened.
#[derive(Clone, Debug)]
struct Boxes {
    /// Where the prize may be.
    candidates: Vec<u8>,
    count: u8,
    looked: bool,
    /// A player that looks at what is hidden.
    peeks_at: Option<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    prize: u8,
    looked: Option<u8>,
    opened: Option<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Act {
    Open(u8),
    Look(u8),
}

impl View for Boxes {
    type Move = Act;
    type Guess = State;

    fn guess(&self, random: &mut Random) -> Option<State> {
        let prize = self.candidates[random.below(self.candidates.len())];
        Some(State {
            prize: self.peeks_at.unwrap_or(prize),
            looked: self.looked.then_some(0),
            opened: None,
        })
    }

    fn unknown(&self) -> usize {
        self.candidates.len()
    }

    fn moves(&self, guess: &State) -> Vec<Act> {
        if guess.opened.is_some() {
            return Vec::new();
        }
        let mut moves: Vec<Act> = (0..self.count).map(Act::Open).collect();
        if guess.looked.is_none() {
            moves.extend((0..self.count).map(Act::Look));
        }
        moves
    }

    fn after(&self, guess: &State, chosen: &Act) -> Option<(State, usize)> {
        let mut next = guess.clone();
        match chosen {
            Act::Open(at) => next.opened = Some(*at),
            Act::Look(at) => next.looked = Some(*at),
        }
        Some((next, usize::from(matches!(chosen, Act::Look(_)))))
    }

    fn is_won(&self, guess: &State) -> bool {
        guess.opened == Some(guess.prize)
    }

    fn solve(&self, guess: &State, _: Effort) -> Line<Act> {
        match guess.opened {
            Some(_) => Line::Lost,
            None => Line::Won(vec![Act::Open(guess.prize)]),
        }
    }
}

struct Stage {
    view: Boxes,
    truth: State,
}

impl Stage {
    fn new(count: u8, prize: u8, peeks: bool) -> Self {
        Self {
            view: Boxes {
                candidates: (0..count).collect(),
                count,
                looked: false,
                peeks_at: peeks.then_some(prize),
            },
            truth: State {
                prize,
                looked: None,
                opened: None,
            },
        }
    }
}

impl Table for Stage {
    type View = Boxes;

    fn view(&self) -> &Boxes {
        &self.view
    }

    fn play(&mut self, chosen: &Act) -> bool {
        if self.truth.opened.is_some() {
            return false;
        }
        match chosen {
            Act::Open(at) => self.truth.opened = Some(*at),
            Act::Look(at) => {
                self.view.looked = true;
                let is_here = self.truth.prize == *at;
                self.view.candidates.retain(|c| (c == at) == is_here);
            }
        }
        true
    }

    fn is_won(&self) -> bool {
        self.truth.opened == Some(self.truth.prize)
    }

    fn is_lost(&self, _: Effort) -> bool {
        self.truth.opened.is_some_and(|at| at != self.truth.prize)
    }
}

fn won(count: u8, settings: &Settings) -> usize {
    let ends = (0..count).map(|prize| {
        let mut stage = Stage::new(count, prize, false);
        play(&mut stage, settings, &mut |_| true).end
    });
    ends.filter(|end| *end == End::Won).count()
}

#[test]
fn looking_first_is_better_than_voting() {
    let vote = Settings::default();
    let best = Settings {
        method: Method::Best,
        ..vote
    };
    let boxes = Stage::new(3, 0, false).view;
    let states: Vec<State> = (0..3)
        .map(|prize| Stage::new(3, prize, false).truth)
        .collect();
    let seen = |state: &State| {
        let found = state.looked.map(|at| at == state.prize);
        format!("{:?} {found:?} {:?}", state.looked, state.opened)
    };
    let optimum = optimum(&boxes, &states, &seen, Effort::nodes(10));
    assert_eq!(
        optimum,
        Optimum {
            hidden: 2,
            thoughtful: 3
        }
    );
    // Every voter is sure of a box of its own.
    assert_eq!(won(3, &vote), 1);
    assert_eq!(won(3, &best), 2);
}

#[test]
fn threads_change_nothing() {
    for method in [Method::Vote, Method::Best] {
        let settings = Settings {
            method,
            ..Settings::default()
        };
        let threads = Settings {
            max_concurrent_threads: 3,
            ..settings
        };
        let played = |settings| play(&mut Stage::new(7, 4, false), settings, &mut |_| true);
        assert_eq!(played(&settings), played(&threads));
    }
}

#[test]
fn the_audit_catches_a_player_that_peeks() {
    for method in [Method::Vote, Method::Best] {
        let settings = Settings {
            method,
            ..Settings::default()
        };
        let audited = |peeks| {
            let pairs = (0..5).flat_map(|a| (0..5).map(move |b| (a, b)));
            pairs
                .filter_map(|(a, b)| {
                    let tables = (&mut Stage::new(5, a, peeks), &mut Stage::new(5, b, peeks));
                    audit(tables, &settings)
                })
                .count()
        };
        assert_eq!(audited(false), 0);
        let caught = audited(true);
        assert!(method == Method::Best || caught == 20, "{caught} of 20");
    }
}
