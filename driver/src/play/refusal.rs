//! Why a move cannot be made: in the words of the game, and which processes refuse the event.

use csp_games::Card;
use csp_games::model::{Field, event};
use csp_games::table::Pile;
use csp_lts::{Rule, RuleId};

use super::report::RefusalReport;
use super::table::Table;

impl Table {
    /// Why an event is not offered now.
    #[must_use]
    pub fn why_not(&self, event: &str) -> RefusalReport {
        let names = |rule: &Rule| self.process.events.name(rule.revealed) == event;
        let rules = self.rules(names);
        if rules.is_empty() {
            let reason = "no process of this game knows such an event";
            return RefusalReport::plain(event, reason);
        }
        let mut referee = self.node().referee.copied();
        let reason = match referee.play_event(event) {
            Err(why) => why,
            Ok(_) => "the rules would allow it, but the process does not offer it".to_owned(),
        };
        RefusalReport {
            asked: event.to_owned(),
            reason,
            event: Some(event.to_owned()),
            refused_by: self.refused_by(&rules),
        }
    }

    /// Why so many cards do not go from one pile to another.
    pub(super) fn why_not_carry(
        &self,
        asked: &str,
        from: &Pile,
        to: &Pile,
        amount: usize,
    ) -> RefusalReport {
        let reason = match self.node().referee.carry(from, to, amount) {
            Err(why) => why,
            Ok(()) => "the rules would allow it, but the process does not offer it".to_owned(),
        };
        let mut refusal = RefusalReport::plain(asked, reason);
        let at = from.places.len().checked_sub(amount);
        let card = at.and_then(|at| from.places[at].card);
        let Some(card) = card else { return refusal };
        let wanted: Vec<Card> = [Some(card), to.top()].into_iter().flatten().collect();
        let alone = &wanted[..1];
        let targets = self.process.start.targets();
        let goes_there = |rule: &Rule| {
            let name = self.process.events.name(rule.revealed);
            let (channel, fields) = event(&name);
            let cards: Vec<Card> = fields.iter().filter_map(Field::card).collect();
            let onto = if to.suit.is_some() { alone } else { &wanted };
            cards == onto && targets.contains(&(channel, to.kind))
        };
        let rules = self.rules(goes_there);
        let fewest = rules.iter().min_by_key(|rule| self.refusers(**rule).len());
        if let Some(rule) = fewest {
            let revealed = self.process.network.rules[rule.0 as usize].revealed;
            refusal.event = Some(self.process.events.name(revealed));
            refusal.refused_by = self.refused_by(&rules);
        }
        refusal
    }

    /// The rules that are no chased ones and of which something is true.
    fn rules(&self, is: impl Fn(&Rule) -> bool) -> Vec<RuleId> {
        let network = &self.process.network;
        let chased = |rule: &RuleId| network.chases.iter().any(|c| c.rules.contains(rule));
        let rules = network.rules.iter().zip(0..).filter(|(rule, _)| is(rule));
        rules
            .map(|(_, i)| RuleId(i))
            .filter(|r| !chased(r))
            .collect()
    }

    /// The components that do not offer their part in a rule.
    fn refusers(&self, rule: RuleId) -> Vec<usize> {
        let network = &self.process.network;
        let state = &self.node().state;
        let participants = network.rules[rule.0 as usize].participants.iter();
        let refuses = participants.filter(|(component, event)| {
            let index = component.0 as usize;
            let lts = &network.components[index].lts;
            let edges = lts.edges(state[index]).iter();
            !edges
                .into_iter()
                .any(|edge| lts.label(edge).contains(*event))
        });
        refuses.map(|(component, _)| component.0 as usize).collect()
    }

    /// Who refuses, by the rule that most of its participants would follow.
    fn refused_by(&self, rules: &[RuleId]) -> Vec<String> {
        let refusers = rules.iter().map(|rule| self.refusers(*rule));
        let fewest = refusers.min_by_key(Vec::len).unwrap_or_default();
        let components = &self.process.network.components;
        fewest
            .into_iter()
            .map(|i| components[i].name.clone())
            .collect()
    }
}
