//! Explores networks in parallel and decides refinement and properties, with evidence.
//!
//! The same input gives the same verdict, counts and counterexample for any number of threads.
//!
//! A process is a [`Network`](csp_lts::Network): small transition systems, and rules by which they
//! move together. A [`Claim`] says something about one or two processes, and [`check()`] decides it.
//! Nothing here needs a script: this is `VM = coin -> choc -> VM` put together with a customer who
//! may also walk away, `coin -> (choc -> STOP |~| STOP)`, and asked whether they can get stuck.
//!
//! ```
//! use std::sync::Arc;
//! use csp_checker::options::NoObserver;
//! use csp_checker::{Claim, Evidence, FailuresModel, Model, Options, Verdict, check};
//! use csp_lts::{Component, ComponentId, EventId, EventSet, LtsBuilder, Network, Rule, StateId};
//!
//! // Events are numbers; names are kept in a `csp_lts::EventTable` by those who need them.
//! let (coin, choc) = (EventId(3), EventId(4));
//! let label = |event| Arc::new(EventSet::single(event));
//!
//! let mut machine = LtsBuilder::new();
//! machine.state([(label(coin), StateId(1))]);
//! machine.state([(label(choc), StateId(0))]);
//!
//! let mut customer = LtsBuilder::new();
//! customer.state([(label(coin), StateId(1))]);
//! customer.state([(label(EventId::TAU), StateId(2)), (label(EventId::TAU), StateId(3))]);
//! customer.state([(label(choc), StateId(3))]);
//! customer.state([]);
//!
//! let component = |name: &str, builder: LtsBuilder| Component {
//!     name: name.to_owned(),
//!     lts: Arc::new(builder.finish(StateId(0))),
//!     initial: StateId(0),
//! };
//! // Both take part in visible events; τ is the customer's own business.
//! let (vm, c) = (ComponentId(0), ComponentId(1));
//! let rule = |event, participants: &[(ComponentId, EventId)]| Rule {
//!     result: event,
//!     revealed: event,
//!     participants: participants.into(),
//!     resets: Box::default(),
//!     blocked_by: None,
//! };
//! let shop = Network {
//!     components: vec![component("VM", machine), component("Customer", customer)],
//!     rules: vec![
//!         rule(coin, &[(vm, coin), (c, coin)]),
//!         rule(choc, &[(vm, choc), (c, choc)]),
//!         rule(EventId::TAU, &[(c, EventId::TAU)]),
//!     ],
//!     ..Network::default()
//! };
//!
//! let claim = Claim::DeadlockFree {
//!     process: shop.clone(),
//!     model: FailuresModel::Failures,
//! };
//! let outcome = check(&claim, &Options::default(), &NoObserver);
//! let Verdict::Fails(counterexamples) = outcome.verdict else {
//!     panic!("the customer may walk away");
//! };
//! assert_eq!(counterexamples[0].trace(), [coin]);
//! assert_eq!(counterexamples[0].steps.len(), 2);
//! assert_eq!(counterexamples[0].evidence, Evidence::Deadlock);
//!
//! // What the shop does is something that the machine alone could do.
//! let machine = Network::of_lts("VM", Arc::clone(&shop.components[0].lts));
//! let claim = Claim::Refines {
//!     specification: machine,
//!     implementation: shop,
//!     model: Model::Traces,
//! };
//! let outcome = check(&claim, &Options::default(), &NoObserver);
//! assert!(matches!(outcome.verdict, Verdict::Holds));
//! assert_eq!(outcome.statistics.states, 4);
//! ```
//!
//! A transition system that another tool has written in the Aldebaran format is a process, too:
//!
//! ```
//! use std::sync::Arc;
//! use csp_checker::options::NoObserver;
//! use csp_checker::{Claim, Model, Options, Verdict, check};
//! use csp_lts::{AutLabels, AutNames, Network, read_aut};
//!
//! // Both texts are read with the same names, so that `b` is the same event in both.
//! let mut names = AutNames::default();
//! let mut process = |name: &str, text: &str| {
//!     let lts = read_aut(text, AutLabels::default(), &mut names).expect("it is well formed");
//!     Network::of_lts(name, Arc::new(lts))
//! };
//! let buffer = process("Buffer", "des (0,2,2)\n(0,\"a\",1)\n(1,\"b\",0)\n");
//! let lossy = process("Lossy", "des (0,3,2)\n(0,\"a\",1)\n(1,\"b\",0)\n(1,\"tau\",0)\n");
//!
//! let claim = Claim::Refines {
//!     specification: buffer,
//!     implementation: lossy,
//!     model: Model::Traces,
//! };
//! let Verdict::Fails(counterexamples) = check(&claim, &Options::default(), &NoObserver).verdict else {
//!     panic!("what comes in may get lost");
//! };
//! let trace = counterexamples[0].trace();
//! let trace: Vec<&str> = trace.iter().filter_map(|event| names.name(*event)).collect();
//! assert_eq!(trace, ["a", "a"]);
//! ```
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

pub mod budget;
pub mod check;
pub mod claim;
pub mod compress;
mod confirm;
pub mod deadlock;
mod determinism;
pub mod directed;
pub mod divergence;
pub mod explicate;
mod has_trace;
pub mod judge;
mod machine;
pub mod models;
pub mod normal;
pub mod options;
pub mod outcome;
pub mod reduction;
pub mod reference;
mod refine;
mod replay;
pub mod search;
mod store;
mod tau;
pub mod termination;

pub use check::{check, check_within};
pub use claim::{Claim, FailuresModel, Model, TraceModel};
pub use explicate::{explicate, explicate_with_states, explicate_within};
pub use options::{
    Compressing, Exchange, NoObserver, Observer, Options, Phase, Ply, Progress, Reductions, Store,
};
pub use outcome::{
    Asymmetry, Counterexample, Evidence, Followed, Group, Limit, Outcome, Statistics, Step, Verdict,
};
