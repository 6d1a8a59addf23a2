//! Events as dense numbers.
//!
//! Every channel owns a block of consecutive numbers; the fields of an event are the digits of a
//! mixed-radix number, the last field varying fastest, so that `{|c.x|}` is a range. A channel with
//! an infinite field reserves a block and numbers its events as they are met.

/// An event. The first three numbers are not visible events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventId(pub u32);

impl EventId {
    /// The silent event τ.
    pub const TAU: Self = Self(0);
    /// Successful termination ✓.
    pub const TICK: Self = Self(1);
    /// The mark of a terminated state: a local label of components, never the result of a rule.
    pub const OMEGA: Self = Self(2);
    /// The first visible event.
    pub const FIRST: Self = Self(3);

    /// Neither τ nor ✓ nor a mark.
    #[must_use]
    pub fn is_visible(self) -> bool {
        self >= Self::FIRST
    }
}

/// The events of one channel.
#[derive(Clone, Debug)]
pub struct Channel {
    /// The name, with module qualification.
    pub name: String,
    /// The first event of the block.
    pub base: u32,
    /// How many numbers the block has.
    pub size: u32,
    /// For each field the printed values in order; for a channel with an infinite field, unused.
    pub fields: Vec<Vec<String>>,
    /// For a channel with an infinite field: the printed fields of the events met so far.
    pub met: Option<Vec<String>>,
}

/// The names of all events of a script.
#[derive(Clone, Debug, Default)]
pub struct EventTable {
    channels: Vec<Channel>,
    next: u32,
}

/// How many numbers a channel with an infinite field reserves.
pub const INFINITE_CHANNEL: u32 = 1 << 24;

impl EventTable {
    /// A table without channels.
    #[must_use]
    pub fn new() -> Self {
        Self {
            channels: Vec::new(),
            next: EventId::FIRST.0,
        }
    }

    /// Adds a channel whose fields have the given printed values; `None` if the numbers run out.
    pub fn add_channel(&mut self, name: &str, fields: Vec<Vec<String>>) -> Option<usize> {
        let size = fields.iter().try_fold(1u32, |product, field| {
            product.checked_mul(u32::try_from(field.len()).ok()?)
        })?;
        self.push(Channel {
            name: name.to_owned(),
            base: self.next,
            size,
            fields,
            met: None,
        })
    }

    /// Adds a channel with an infinite field; `None` if the numbers run out.
    pub fn add_infinite_channel(&mut self, name: &str) -> Option<usize> {
        let (name, base) = (name.to_owned(), self.next);
        self.push(Channel {
            name,
            base,
            size: INFINITE_CHANNEL,
            fields: Vec::new(),
            met: Some(Vec::new()),
        })
    }

    fn push(&mut self, channel: Channel) -> Option<usize> {
        self.next = self.next.checked_add(channel.size)?;
        self.channels.push(channel);
        Some(self.channels.len() - 1)
    }

    /// Names the next event of an infinite channel; `None` if its block is full.
    pub fn meet(&mut self, channel: usize, fields: String) -> Option<EventId> {
        let channel = &mut self.channels[channel];
        let met = channel.met.as_mut()?;
        let index = u32::try_from(met.len())
            .ok()
            .filter(|&i| i < channel.size)?;
        met.push(fields);
        Some(EventId(channel.base + index))
    }

    /// The channels in the order of their blocks.
    #[must_use]
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// One past the last event number.
    #[must_use]
    pub fn end(&self) -> u32 {
        self.next.max(EventId::FIRST.0)
    }

    /// The event as a script writes it; τ and ✓ by their symbols.
    #[must_use]
    pub fn name(&self, event: EventId) -> String {
        match event {
            EventId::TAU => return "τ".to_owned(),
            EventId::TICK => return "✓".to_owned(),
            EventId::OMEGA => return "Ω".to_owned(),
            _ => {}
        }
        let at = self.channels.partition_point(|c| c.base <= event.0);
        let Some(channel) = at.checked_sub(1).map(|i| &self.channels[i]) else {
            return format!("event{}", event.0);
        };
        let mut index = event.0 - channel.base;
        if index >= channel.size {
            return format!("event{}", event.0);
        }
        if let Some(met) = &channel.met {
            let fields = met.get(index as usize).map_or("?", String::as_str);
            return format!("{}.{fields}", channel.name);
        }
        let mut digits = Vec::with_capacity(channel.fields.len());
        for field in channel.fields.iter().rev() {
            let radix = u32::try_from(field.len()).expect("checked when the channel was added");
            digits.push(&field[(index % radix) as usize]);
            index /= radix;
        }
        let mut name = channel.name.clone();
        for digit in digits.iter().rev() {
            name.push('.');
            name.push_str(digit);
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_mixed_radix_layout() {
        let mut table = EventTable::new();
        let strings = |s: &[&str]| s.iter().map(|x| (*x).to_owned()).collect::<Vec<_>>();
        table.add_channel("a", vec![]);
        table.add_channel("c", vec![strings(&["0", "1"]), strings(&["x", "y", "z"])]);
        let infinite = table.add_infinite_channel("n").expect("room");
        assert_eq!(table.name(EventId(3)), "a");
        assert_eq!(table.name(EventId(4)), "c.0.x");
        assert_eq!(table.name(EventId(9)), "c.1.z");
        let met = table.meet(infinite, "-5".to_owned()).expect("room");
        assert_eq!(table.name(met), "n.-5");
        assert_eq!(table.name(EventId::TAU), "τ");
    }

    #[test]
    fn too_many_events_are_refused() {
        let mut table = EventTable::new();
        let wide = vec![vec![String::from("0"); 70_000]; 2];
        assert_eq!(table.add_channel("c", wide), None);
    }
}
