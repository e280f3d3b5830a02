//! The passages of one tenant: an index of them, when they were said, by whom, and which follow each other in a session.
//!
//! Owns the order of turns. Keeps no text and no name, only hashes of them. Knows nothing of what is asked at which point in time.

use super::index::Index;
use super::token::{Key, Tokenizer};
use crate::model::{Authority, ObservationId};
use crate::time::Instant;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

/// No document.
const NONE: u32 = u32::MAX;

/// What is indexed of an observation, borrowed.
#[derive(Clone, Copy, Debug)]
pub struct Passage<'a> {
    /// Its place in the ledger.
    pub seq: u64,
    /// Its transaction time.
    pub tx: Instant,
    /// The observation.
    pub id: ObservationId,
    /// When it was observed.
    pub observed_at: Instant,
    /// The rank of its source.
    pub authority: Authority,
    /// Its session.
    pub session: Option<&'a str>,
    /// Its speaker.
    pub speaker: Option<&'a str>,
    /// The key under which its source knows it.
    pub key: Option<&'a str>,
    /// Its text.
    pub text: Option<&'a str>,
}

/// An indexed observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Document {
    /// Its place in the ledger.
    pub seq: u64,
    /// Its transaction time.
    pub tx: Instant,
    /// The observation.
    pub id: ObservationId,
    /// When it was observed.
    pub observed_at: Instant,
    /// The rank of its source.
    pub authority: Authority,
    /// Whether it only asks.
    pub is_question: bool,
    /// Whether it has been removed.
    pub is_gone: bool,
    /// Its session's number; of one in no session a number of its own.
    pub session: u32,
    /// Its speaker's number.
    pub speaker: Option<u32>,
    before: u32,
    after: u32,
    /// What its text is, without the text, to fold copies.
    pub digest: u64,
}

/// The passages of a tenant in the order of the ledger.
#[derive(Debug, Default)]
pub struct Corpus {
    tokenizer: Tokenizer,
    index: Index,
    documents: Vec<Document>,
    /// The last document of each session.
    sessions: FxHashMap<u64, (u32, u32)>,
    speakers: FxHashMap<u64, u32>,
    /// The speakers whose names have a word.
    speakers_by_word: FxHashMap<Key, Vec<u32>>,
    /// The documents by the beginnings of their ids.
    by_id: FxHashMap<u64, u32>,
    scratch: Vec<Key>,
}

impl Corpus {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an observation; places rise from one to the next.
    ///
    /// # Complexity
    /// Linear in its text. One that was observed before others of its session that are there already takes a step for each of them.
    pub fn add(&mut self, passage: &Passage<'_>) {
        let Ok(number) = u32::try_from(self.documents.len()) else { return };
        self.scratch.clear();
        let text = passage.text.unwrap_or_default();
        self.tokenizer.passage(text, &mut self.scratch);
        if let Some(key) = passage.key {
            self.tokenizer.passage(key, &mut self.scratch);
        }
        self.index.insert(number, &mut self.scratch);
        let speaker = passage.speaker.map(|name| self.speaker(name));
        let (session, before, after) = self.place(passage, number);
        self.documents.push(Document {
            seq: passage.seq,
            tx: passage.tx,
            id: passage.id,
            observed_at: passage.observed_at,
            authority: passage.authority,
            is_question: text.trim_end().ends_with(['?', '？']),
            is_gone: false,
            session,
            speaker,
            before,
            after,
            digest: hash(text.trim()),
        });
        self.by_id.insert(beginning(passage.id), number);
        self.link(before, number, after);
    }

    /// The number of a speaker, new or not.
    fn speaker(&mut self, name: &str) -> u32 {
        let own = hash(name);
        if let Some(known) = self.speakers.get(&own) {
            return *known;
        }
        let number = u32::try_from(self.speakers.len()).unwrap_or(u32::MAX);
        self.speakers.insert(own, number);
        let mut words = Vec::new();
        self.tokenizer.passage(name, &mut words);
        for word in words {
            let known = self.speakers_by_word.entry(word).or_default();
            if known.last() != Some(&number) {
                known.push(number);
            }
        }
        number
    }

    /// The session of a new document, and the documents between which it stands there.
    fn place(&mut self, passage: &Passage<'_>, number: u32) -> (u32, u32, u32) {
        let Some(name) = passage.session else { return (self.next_session(), NONE, NONE) };
        let own = hash(name);
        let Some((session, last)) = self.sessions.get(&own).copied() else {
            let session = self.next_session();
            self.sessions.insert(own, (session, number));
            return (session, NONE, NONE);
        };
        let (mut before, mut after) = (last, NONE);
        while let Some(document) = self.document(before).filter(|document| document.observed_at > passage.observed_at) {
            (before, after) = (document.before, before);
        }
        if after == NONE {
            self.sessions.insert(own, (session, number));
        }
        (session, before, after)
    }

    /// Documents in no session have numbers of their own, so that none is taken for a neighbour of another.
    fn next_session(&self) -> u32 {
        u32::try_from(self.documents.len()).unwrap_or(NONE)
    }

    fn link(&mut self, before: u32, number: u32, after: u32) {
        if let Some(document) = self.documents.get_mut(before as usize) {
            document.after = number;
        }
        if let Some(document) = self.documents.get_mut(after as usize) {
            document.before = number;
        }
    }

    /// Removes what is no longer there: nothing can be found by its words, and turns around it become neighbours.
    ///
    /// # Complexity
    /// Linear in the index.
    pub fn retain(&mut self, mut is_there: impl FnMut(ObservationId) -> bool) {
        let gone: Vec<u32> = (0..)
            .zip(&self.documents)
            .filter(|(_, document)| !document.is_gone && !is_there(document.id))
            .map(|(number, _)| number)
            .collect();
        if gone.is_empty() {
            return;
        }
        for number in &gone {
            let Some(document) = self.documents.get_mut(*number as usize) else { continue };
            let (before, after, session) = (document.before, document.after, document.session);
            self.by_id.remove(&beginning(document.id));
            (document.is_gone, document.id, document.digest) = (true, ObservationId::from_bytes([0; 16]), 0);
            if let Some(one) = self.documents.get_mut(before as usize) {
                one.after = after;
            }
            if let Some(one) = self.documents.get_mut(after as usize) {
                one.before = before;
            }
            self.sessions.retain(|_, (known, last)| {
                if *known == session && *last == *number {
                    *last = before;
                }
                *last != NONE
            });
        }
        self.index.remove(&gone);
    }

    /// The place in the ledger up to which it has read, 0 if nothing.
    #[must_use]
    pub fn last_seq(&self) -> u64 {
        self.documents.last().map_or(0, |document| document.seq)
    }

    /// How many documents it has numbered, those removed included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// Whether nothing was ever added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// The document of a number.
    #[must_use]
    pub fn document(&self, number: u32) -> Option<&Document> {
        self.documents.get(number as usize)
    }

    /// The turn before a document in its session.
    #[must_use]
    pub fn before(&self, number: u32) -> Option<u32> {
        self.document(number).map(|document| document.before).filter(|before| *before != NONE)
    }

    /// The turn after a document in its session.
    #[must_use]
    pub fn after(&self, number: u32) -> Option<u32> {
        self.document(number).map(|document| document.after).filter(|after| *after != NONE)
    }

    /// The number of an observation's document.
    #[must_use]
    pub fn number(&self, id: ObservationId) -> Option<u32> {
        let number = self.by_id.get(&beginning(id)).copied()?;
        self.document(number).filter(|document| document.id == id && !document.is_gone).map(|_| number)
    }

    /// The speakers whose names have a word of this key.
    #[must_use]
    pub fn speakers_named(&self, word: Key) -> &[u32] {
        self.speakers_by_word.get(&word).map(Vec::as_slice).unwrap_or_default()
    }

    /// The index of the passages.
    #[must_use]
    pub const fn index(&self) -> &Index {
        &self.index
    }

    /// What makes its tokens.
    #[must_use]
    pub const fn tokenizer(&self) -> &Tokenizer {
        &self.tokenizer
    }

    /// Bytes held, about.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.index.bytes()
            + self.documents.capacity() * size_of::<Document>()
            + self.sessions.capacity() * 17
            + self.speakers.capacity() * 13
    }
}

/// Ids are made of content, so that eight bytes of them tell documents apart.
fn beginning(id: ObservationId) -> u64 {
    id.bytes().first_chunk::<8>().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

fn hash(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Bm25, Sought};

    fn add(corpus: &mut Corpus, number: u8, session: Option<&str>, minute: i64, speaker: &str, text: &str) {
        corpus.add(&Passage {
            seq: u64::from(number),
            tx: Instant::from_micros(i64::from(number)),
            id: ObservationId::from_bytes([number; 16]),
            observed_at: Instant::from_micros(minute * 60_000_000),
            authority: Authority::User,
            session,
            speaker: Some(speaker),
            key: None,
            text: Some(text),
        });
    }

    fn found(corpus: &Corpus, question: &str) -> Vec<u32> {
        let query = corpus.tokenizer().query(question);
        let sought: Vec<Sought> = query
            .words
            .iter()
            .flat_map(|word| word.keys.iter().map(|(key, weight)| Sought { key: *key, weight: *weight, word: 0 }))
            .collect();
        corpus.index().search(&sought, Bm25 { k1: 1.2, b: 0.5 }, 10, &|_| true).found
    }

    #[test]
    fn turns_follow_each_other_by_when_they_were_said() {
        let mut corpus = Corpus::new();
        add(&mut corpus, 1, Some("s"), 1, "Ana", "first");
        add(&mut corpus, 2, Some("t"), 2, "Ana", "elsewhere");
        add(&mut corpus, 3, Some("s"), 9, "Bo", "last");
        add(&mut corpus, 4, Some("s"), 5, "Ana", "between");
        add(&mut corpus, 5, None, 5, "Ana", "alone");
        let chain: Vec<u32> = std::iter::successors(Some(0), |number| corpus.after(*number)).collect();
        assert_eq!(chain, [0, 3, 2]);
        assert_eq!((corpus.before(2), corpus.before(3), corpus.before(1), corpus.after(4)), (Some(3), Some(0), None, None));
    }

    #[test]
    fn what_goes_is_not_found_and_its_neighbours_meet() {
        let mut corpus = Corpus::new();
        add(&mut corpus, 1, Some("s"), 1, "Ana", "a heron");
        add(&mut corpus, 2, Some("s"), 2, "Ana", "a kestrel");
        add(&mut corpus, 3, Some("s"), 3, "Ana", "a heron and a kestrel");
        assert_eq!(found(&corpus, "kestrel"), [1, 2]);
        corpus.retain(|id| id != ObservationId::from_bytes([2; 16]));
        assert_eq!(found(&corpus, "kestrel"), [2]);
        assert_eq!((corpus.after(0), corpus.before(2)), (Some(2), Some(0)));
        corpus.retain(|id| id != ObservationId::from_bytes([3; 16]));
        add(&mut corpus, 4, Some("s"), 4, "Ana", "a lark");
        assert_eq!(corpus.before(3), Some(0));
        let number = |of: u8| corpus.number(ObservationId::from_bytes([of; 16]));
        assert_eq!((number(2), number(4)), (None, Some(3)));
    }

    #[test]
    fn speakers_are_known_by_the_words_of_their_names() {
        let mut corpus = Corpus::new();
        add(&mut corpus, 1, None, 1, "Ana Lima", "hello there");
        add(&mut corpus, 2, None, 2, "Ana Costa", "hello there");
        let query = corpus.tokenizer().query("what did Ana say to Costa");
        let of = |word: &str| {
            let word = query.words.iter().find(|one| one.surface == word).unwrap();
            corpus.speakers_named(word.keys[0].0).to_vec()
        };
        assert_eq!((of("Ana"), of("Costa"), of("say")), (vec![0, 1], vec![1], vec![]));
    }
}
