//! Each tab has sessions of its own, for each script it looks at: one for checks, one for a game, one for everything
//! else.
//!
//! A session is made when it is first needed and forgotten when it was not used for a while; a tab that opens very
//! many loses those it used longest ago. A session whose work goes on is kept by whoever waits for it.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use csp_driver::FileError;
use csp_driver::session::{Host, Session};
use serde::Deserialize;

use crate::api::{Placed, Walk};
use crate::folder::{Folder, MOST_TEXT};
use crate::refusal::Refusal;

/// Sessions of one tab, and of all.
const MOST_OF_A_TAB: usize = 8;
const MOST: usize = 256;

/// How long a session that nobody uses is kept.
const IDLE: Duration = Duration::from_secs(600);

/// Which script a request is about.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ScriptRequest {
    /// Relative to the folder; the name of a text that is in no file.
    pub(crate) file: String,
    /// What an editor has of it.
    pub(crate) text: Option<String>,
    /// Constants with another value.
    #[serde(default)]
    pub(crate) defines: std::collections::BTreeMap<String, String>,
}

/// What a session is for: a check does not keep an explorer or a player waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Purpose {
    Check,
    Look,
    Play,
}

/// A file as it was when a session read it.
type Read = Arc<Mutex<HashMap<PathBuf, Option<(u64, SystemTime)>>>>;

/// What an editor has of a script, and its parameters.
type Shown = (Option<String>, Vec<(String, String)>);

/// A session with what is needed to know that it is up to date.
pub(crate) struct Seat {
    pub(crate) session: Session,
    read: Read,
    shown: Mutex<Option<Shown>>,
    /// The process that is being explored, and where it is.
    pub(crate) walk: Mutex<Option<Walk>>,
    /// The game that is played.
    pub(crate) game: Mutex<Option<Placed>>,
    used: Mutex<Instant>,
}

type Key = (String, String, Purpose);

/// All sessions.
#[derive(Default)]
pub(crate) struct Seats(Mutex<HashMap<Key, Arc<Seat>>>);

impl Seats {
    /// The session of a tab for a script, up to date with its text, its parameters and the disk.
    pub(crate) fn seat(
        &self,
        folder: &Arc<Folder>,
        tab: &str,
        script: &ScriptRequest,
        purpose: Purpose,
    ) -> Result<Arc<Seat>, Refusal> {
        match &script.text {
            Some(text) if text.len() as u64 > MOST_TEXT => {
                return Err(Refusal::too_long(&script.file, text.len() as u64));
            }
            Some(_) => {}
            None => folder.allow(&script.file)?,
        }
        let key = (tab.to_owned(), script.file.clone(), purpose);
        let seat = {
            let mut seats = lock(&self.0);
            make_room(&mut seats, tab, &key);
            let new = || Arc::new(Seat::new(folder, &script.file));
            Arc::clone(seats.entry(key).or_insert_with(new))
        };
        seat.show(script);
        Ok(seat)
    }

    /// Forgets the sessions of a tab that has gone.
    pub(crate) fn leave(&self, tab: &str) {
        lock(&self.0).retain(|key, _| key.0 != tab);
    }

    /// Forgets sessions that nobody uses.
    pub(crate) fn tidy(&self) {
        lock(&self.0).retain(|_, seat| lock(&seat.used).elapsed() < IDLE);
    }
}

/// Forgets the session that was used longest ago, of the tab or of all, if there are too many.
fn make_room(seats: &mut HashMap<Key, Arc<Seat>>, tab: &str, wanted: &Key) {
    if seats.contains_key(wanted) {
        return;
    }
    let own = seats.keys().filter(|key| key.0 == tab).count();
    let oldest = |of_tab: bool, seats: &HashMap<Key, Arc<Seat>>| {
        let candidates = seats.iter().filter(|(key, _)| !of_tab || key.0 == tab);
        let oldest = candidates.min_by_key(|(_, seat)| *lock(&seat.used));
        oldest.map(|(key, _)| key.clone())
    };
    if own >= MOST_OF_A_TAB
        && let Some(key) = oldest(true, seats)
    {
        seats.remove(&key);
    }
    if seats.len() >= MOST
        && let Some(key) = oldest(false, seats)
    {
        seats.remove(&key);
    }
}

impl Seat {
    fn new(folder: &Arc<Folder>, file: &str) -> Self {
        let read = Read::default();
        let (inside, noted) = (Arc::clone(folder), Arc::clone(&read));
        let session = Session::new(Host::with_files(move |path: &str| {
            let name = normal(path);
            let text = inside.read(&name);
            if let Ok(place) = inside.place(&name) {
                let found = version(&place);
                lock(&noted).insert(place, found);
            }
            text.map(|text| text.text).map_err(|refusal| FileError {
                path: path.to_owned(),
                reason: refusal.message,
            })
        }));
        session.open(file);
        Self {
            session,
            read,
            shown: Mutex::new(None),
            walk: Mutex::new(None),
            game: Mutex::new(None),
            used: Mutex::new(Instant::now()),
        }
    }

    /// Brings the session up to date.
    fn show(&self, script: &ScriptRequest) {
        *lock(&self.used) = Instant::now();
        let defines: Vec<_> = script.defines.clone().into_iter().collect();
        let wanted = Some((script.text.clone(), defines.clone()));
        let mut shown = lock(&self.shown);
        let stale = self.is_stale();
        if *shown == wanted && !stale {
            return;
        }
        match &script.text {
            Some(text) => self.session.set_text(&script.file, text),
            None => self.session.remove_text(&script.file),
        }
        if shown.as_ref().map(|s| &s.1) != Some(&defines) {
            self.session.set_parameters(defines);
        }
        if stale {
            lock(&self.read).clear();
            self.session.refresh();
        }
        *lock(&self.walk) = None;
        *lock(&self.game) = None;
        *shown = wanted;
    }

    /// Whether a file that was read has changed since.
    fn is_stale(&self) -> bool {
        let read = lock(&self.read);
        read.iter().any(|(place, then)| version(place) != *then)
    }
}

fn version(place: &PathBuf) -> Option<(u64, SystemTime)> {
    let found = fs::metadata(place).ok()?;
    Some((found.len(), found.modified().ok()?))
}

/// A path without `.`, and with `..` taken back where that stays inside the folder.
fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|last| !["..", ""].contains(last)) => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    parts.join("/")
}

/// A lock whose holder may have panicked: what it guards is replaced whole, never half.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
