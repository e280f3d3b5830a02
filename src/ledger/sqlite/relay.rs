//! Long replays on two threads: one reads the file, the caller's works on what was read. Knows the shape of rows only.

use super::store::Store;
use crate::ledger::contract::Position;
use crate::ledger::{LedgerError, RecordRow, Retractable, Seq};
use crate::model::{Authority, ClaimId, ObservationId, Polarity, TermRef};
use crate::time::{Instant, Span};
use std::ops::ControlFlow;
use std::sync::mpsc::{channel, sync_channel};
use std::{mem, panic, thread};

/// Replays of fewer places are not worth a thread.
const WORTH_A_THREAD: Seq = 20_000;
/// Rows that travel together.
const CHUNK: usize = 1024;
/// Bytes of text that travel together, unless one row has more.
const CHUNK_TEXT: usize = 1 << 20;
/// Chunks that may wait for the caller.
const WAITING: usize = 4;

/// A text in its chunk.
#[derive(Clone, Copy)]
struct Slice {
    from: usize,
    to: usize,
}

#[derive(Clone, Copy)]
enum Term {
    Name(Slice),
    Iri(Slice),
    Blank(Slice),
    Literal { lexical: Slice, datatype: Option<Slice>, language: Option<Slice> },
}

/// What most claims do not have.
struct Rare {
    seen_at: Option<Instant>,
    context: Option<Slice>,
    corrects_claim: Option<ClaimId>,
    corrects_tail: Option<Term>,
}

/// A [`RecordRow`] whose texts stand in its chunk.
enum Carried {
    Observation {
        seq: Seq,
        tx: Instant,
        id: ObservationId,
        observed_at: Instant,
        authority: Authority,
    },
    Claim {
        seq: Seq,
        tx: Instant,
        id: ClaimId,
        head: Term,
        relation: Slice,
        tail: Term,
        polarity: Polarity,
        span: Span,
        confidence: f64,
        importance: f64,
        rare: Option<Box<Rare>>,
    },
    Belief {
        seq: Seq,
        tx: Instant,
        target: Retractable,
        believed: bool,
    },
    Policy {
        seq: Seq,
        tx: Instant,
        relation: Slice,
        toml: Option<Slice>,
    },
    Erasure {
        seq: Seq,
        tx: Instant,
        observations: u64,
    },
    Merge {
        seq: Seq,
        tx: Instant,
        from: Term,
        into: Term,
        merged: bool,
    },
    Setting {
        seq: Seq,
        tx: Instant,
        name: Slice,
        value: Option<Slice>,
    },
    Extraction {
        seq: Seq,
        tx: Instant,
        observation: ObservationId,
    },
}

#[derive(Default)]
struct Chunk {
    text: String,
    rows: Vec<Carried>,
}

impl Chunk {
    fn is_full(&self) -> bool {
        self.rows.len() >= CHUNK || self.text.len() >= CHUNK_TEXT
    }

    fn clear(&mut self) {
        self.text.clear();
        self.rows.clear();
    }

    fn keep(&mut self, text: &str) -> Slice {
        let from = self.text.len();
        self.text.push_str(text);
        Slice { from, to: self.text.len() }
    }

    fn keep_term(&mut self, term: TermRef<'_>) -> Term {
        match term {
            TermRef::Name(name) => Term::Name(self.keep(name)),
            TermRef::Iri(iri) => Term::Iri(self.keep(iri)),
            TermRef::Blank(label) => Term::Blank(self.keep(label)),
            TermRef::Literal { lexical, datatype, language } => Term::Literal {
                lexical: self.keep(lexical),
                datatype: datatype.map(|datatype| self.keep(datatype)),
                language: language.map(|language| self.keep(language)),
            },
        }
    }

    fn take(&mut self, row: &RecordRow<'_>) {
        let carried = match *row {
            RecordRow::Observation { seq, tx, id, observed_at, authority } => Carried::Observation { seq, tx, id, observed_at, authority },
            RecordRow::Claim {
                seq,
                tx,
                id,
                head,
                relation,
                tail,
                polarity,
                span,
                seen_at,
                confidence,
                importance,
                context,
                corrects_claim,
                corrects_tail,
            } => {
                let has_more = seen_at.is_some() || context.is_some() || corrects_claim.is_some() || corrects_tail.is_some();
                Carried::Claim {
                    seq,
                    tx,
                    id,
                    head: self.keep_term(head),
                    relation: self.keep(relation),
                    tail: self.keep_term(tail),
                    polarity,
                    span,
                    confidence,
                    importance,
                    rare: has_more.then(|| {
                        Box::new(Rare {
                            seen_at,
                            context: context.map(|context| self.keep(context)),
                            corrects_claim,
                            corrects_tail: corrects_tail.map(|tail| self.keep_term(tail)),
                        })
                    }),
                }
            }
            RecordRow::Belief { seq, tx, target, believed } => Carried::Belief { seq, tx, target, believed },
            RecordRow::Policy { seq, tx, relation, toml } => {
                Carried::Policy { seq, tx, relation: self.keep(relation), toml: toml.map(|toml| self.keep(toml)) }
            }
            RecordRow::Erasure { seq, tx, observations } => Carried::Erasure { seq, tx, observations },
            RecordRow::Merge { seq, tx, from, into, merged } => {
                Carried::Merge { seq, tx, from: self.keep_term(from), into: self.keep_term(into), merged }
            }
            RecordRow::Setting { seq, tx, name, value } => {
                Carried::Setting { seq, tx, name: self.keep(name), value: value.map(|value| self.keep(value)) }
            }
            RecordRow::Extraction { seq, tx, observation } => Carried::Extraction { seq, tx, observation },
        };
        self.rows.push(carried);
    }

    fn text(&self, slice: Slice) -> &str {
        self.text.get(slice.from..slice.to).unwrap_or_default()
    }

    fn term(&self, term: Term) -> TermRef<'_> {
        match term {
            Term::Name(name) => TermRef::Name(self.text(name)),
            Term::Iri(iri) => TermRef::Iri(self.text(iri)),
            Term::Blank(label) => TermRef::Blank(self.text(label)),
            Term::Literal { lexical, datatype, language } => TermRef::Literal {
                lexical: self.text(lexical),
                datatype: datatype.map(|datatype| self.text(datatype)),
                language: language.map(|language| self.text(language)),
            },
        }
    }

    fn row(&self, carried: &Carried) -> RecordRow<'_> {
        match *carried {
            Carried::Observation { seq, tx, id, observed_at, authority } => RecordRow::Observation { seq, tx, id, observed_at, authority },
            Carried::Claim { seq, tx, id, head, relation, tail, polarity, span, confidence, importance, ref rare } => RecordRow::Claim {
                seq,
                tx,
                id,
                head: self.term(head),
                relation: self.text(relation),
                tail: self.term(tail),
                polarity,
                span,
                seen_at: rare.as_ref().and_then(|rare| rare.seen_at),
                confidence,
                importance,
                context: rare.as_ref().and_then(|rare| rare.context).map(|context| self.text(context)),
                corrects_claim: rare.as_ref().and_then(|rare| rare.corrects_claim),
                corrects_tail: rare.as_ref().and_then(|rare| rare.corrects_tail).map(|tail| self.term(tail)),
            },
            Carried::Belief { seq, tx, target, believed } => RecordRow::Belief { seq, tx, target, believed },
            Carried::Policy { seq, tx, relation, toml } => {
                RecordRow::Policy { seq, tx, relation: self.text(relation), toml: toml.map(|toml| self.text(toml)) }
            }
            Carried::Erasure { seq, tx, observations } => RecordRow::Erasure { seq, tx, observations },
            Carried::Merge { seq, tx, from, into, merged } => {
                RecordRow::Merge { seq, tx, from: self.term(from), into: self.term(into), merged }
            }
            Carried::Setting { seq, tx, name, value } => {
                RecordRow::Setting { seq, tx, name: self.text(name), value: value.map(|value| self.text(value)) }
            }
            Carried::Extraction { seq, tx, observation } => RecordRow::Extraction { seq, tx, observation },
        }
    }
}

/// Replays from a place on; long replays are read ahead on a thread of their own. The sink runs on the caller's.
pub(super) fn replay(store: &mut Store, from: Seq, sink: &mut dyn FnMut(RecordRow<'_>)) -> Result<Position, LedgerError> {
    if store.position()?.seq.saturating_sub(from) < WORTH_A_THREAD {
        return store.replay(from, &mut |row| {
            sink(row);
            ControlFlow::Continue(())
        });
    }
    let (filled, full) = sync_channel::<Chunk>(WAITING);
    let (emptied, empty) = channel::<Chunk>();
    thread::scope(|scope| {
        let reader = scope.spawn(move || {
            let mut chunk = Chunk::default();
            let end = store.replay(from, &mut |row| {
                chunk.take(&row);
                if !chunk.is_full() {
                    return ControlFlow::Continue(());
                }
                let full = mem::replace(&mut chunk, empty.try_recv().unwrap_or_default());
                // Nobody listens any more only where the sink has panicked.
                if filled.send(full).is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            drop(filled.send(chunk));
            end
        });
        for mut chunk in full {
            for carried in &chunk.rows {
                sink(chunk.row(carried));
            }
            chunk.clear();
            drop(emptied.send(chunk));
        }
        reader.join().unwrap_or_else(|panic| panic::resume_unwind(panic))
    })
}
