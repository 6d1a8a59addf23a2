//! A thread with a deep stack that owns a script, and what others ask of it.
//!
//! A script is not shared between threads: its values are counted without locks. So questions are sent to the thread
//! that owns it, one after the other. The thread ends when the last handle is gone. A question that panics, which is
//! a mistake of ours, costs the script, which the next question loads again, and nothing else.
//!
//! Where there is one thread only, the script stays on the thread that made the session ([`Here`]), and questions are
//! answered at once.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};

use super::SessionError;
use super::texts::Texts;
use crate::kept::Kept;
use crate::script::Script;
use crate::stack;

/// The script as one version of the texts says it.
#[derive(Default)]
struct Loaded {
    version: Option<u64>,
    script: Option<Result<Script, SessionError>>,
    /// What later versions can use of earlier ones.
    kept: Rc<RefCell<Kept>>,
}

type Question = Box<dyn FnOnce(&mut Loaded) + Send>;

thread_local! {
    /// The scripts of sessions that have no thread, by number.
    static HERE: RefCell<BTreeMap<u64, Loaded>> = const { RefCell::new(BTreeMap::new()) };
}

/// A script of the thread that made this; it goes with the last handle.
struct Here(u64);

impl Here {
    fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        HERE.with_borrow_mut(|all| all.insert(number, Loaded::default()));
        Self(number)
    }

    /// Answers at once; a question from another thread, or asked by a question, is dropped unanswered.
    fn ask(&self, question: Question) {
        let taken = HERE.with_borrow_mut(|all| all.remove(&self.0));
        if let Some(mut loaded) = taken {
            answer(question, &mut loaded);
            HERE.with_borrow_mut(|all| all.insert(self.0, loaded));
        }
    }
}

impl Drop for Here {
    fn drop(&mut self) {
        // A thread that ends has dropped its scripts itself.
        let _ = HERE.try_with(|all| all.try_borrow_mut().ok()?.remove(&self.0));
    }
}

/// Who answers.
#[derive(Clone)]
enum Answers {
    Thread(Sender<Question>),
    Here(Arc<Here>),
}

/// Answers one question; a panic costs the script.
fn answer(question: Question, loaded: &mut Loaded) {
    let answered = catch_unwind(AssertUnwindSafe(|| question(loaded)));
    if answered.is_err() {
        *loaded = Loaded::default();
    }
}

/// A handle to whoever owns the script.
#[derive(Clone)]
pub(super) struct Owner {
    answers: Answers,
    texts: Arc<Mutex<Texts>>,
}

/// An answer that has been asked for.
pub(super) struct Answer<T>(Receiver<Result<T, SessionError>>);

impl<T> Answer<T> {
    /// Waits for it.
    pub(super) fn wait(self) -> Result<T, SessionError> {
        self.0.recv().unwrap_or(Err(SessionError::Broken))
    }
}

impl Owner {
    /// Starts the thread, if there is to be one.
    pub(super) fn start(texts: Arc<Mutex<Texts>>, one_thread: bool) -> Self {
        if one_thread {
            let answers = Answers::Here(Arc::new(Here::new()));
            return Self { answers, texts };
        }
        let (questions, asked) = mpsc::channel::<Question>();
        // If there is none, questions are dropped, and whoever waits is told so.
        let _ = stack::spawn_deep(move || {
            let mut loaded = Loaded::default();
            for question in asked {
                answer(question, &mut loaded);
            }
        });
        let answers = Answers::Thread(questions);
        Self { answers, texts }
    }

    /// Passes a question on. If nobody is there to answer, it is dropped, and whoever waits is told so.
    fn put(&self, question: Question) {
        match &self.answers {
            Answers::Thread(questions) => drop(questions.send(question)),
            Answers::Here(here) => here.ask(question),
        }
    }

    /// Asks something of the script as the texts are when its turn comes, and waits.
    pub(super) fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&mut Script) -> Result<T, SessionError> + Send + 'static,
    ) -> Result<T, SessionError> {
        self.begin(question).wait()
    }

    /// Forgets what is kept from one version to the next.
    pub(super) fn forget(&self) {
        let forget = |loaded: &mut Loaded| {
            loaded.kept.borrow_mut().forget();
            // Compilers keep machines, too.
            loaded.version = None;
        };
        self.put(Box::new(forget));
    }

    /// Asks without waiting.
    pub(super) fn begin<T: Send + 'static>(
        &self,
        question: impl FnOnce(&mut Script) -> Result<T, SessionError> + Send + 'static,
    ) -> Answer<T> {
        let (sender, receiver) = mpsc::channel();
        let texts = Arc::clone(&self.texts);
        let whole = move |loaded: &mut Loaded| {
            let answer = loaded.script(&texts).and_then(question);
            // Whoever asked may have gone.
            let _ = sender.send(answer);
        };
        // If the thread is gone, so is the sender, and the answer says so.
        self.put(Box::new(whole));
        Answer(receiver)
    }
}

impl Loaded {
    /// The script, loaded again if a text has changed.
    fn script(&mut self, texts: &Mutex<Texts>) -> Result<&mut Script, SessionError> {
        let mut texts = texts.lock().unwrap_or_else(PoisonError::into_inner);
        if self.version != Some(texts.version()) {
            self.version = Some(texts.version());
            let loaded = texts.load();
            self.script = loaded.map(|script| match script {
                Ok(mut script) => {
                    script.keep_in(Rc::clone(&self.kept));
                    Ok(script)
                }
                Err(error) => Err(error),
            });
        }
        match &mut self.script {
            Some(Ok(script)) => Ok(script),
            Some(Err(error)) => Err(error.clone()),
            None => Err(SessionError::Missing {
                what: "no script has been opened".to_owned(),
            }),
        }
    }
}
