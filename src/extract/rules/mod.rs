//! The extractor that goes by rules: it splits a text by language, lets each language's grammar draft claims, and places them in time.
//!
//! Owns what is common to all languages. Knows the words of none, and no store.

mod draft;
#[allow(
    clippy::wildcard_enum_match_arm,
    clippy::match_same_arms,
    clippy::nonminimal_bool,
    clippy::struct_excessive_bools,
    clippy::fn_params_excessive_bools,
    clippy::if_same_then_else,
    clippy::items_after_statements,
    reason = "a grammar asks many small questions of few words: its rules read best one by one, as a grammarian writes them"
)]
mod en;
mod explain;
mod ja;
mod mapping;
pub mod phrases;
mod structure;
mod when;

use super::visible::{Visible, visible};
use super::{Context, Extraction, Extractor, OpenEnd, RejectedCandidate, RejectionKind, Turn};
use crate::model::{Claim, Correction, Observation, ObservationKind, Quote, RelationKind, Term};
use crate::observe::Incoming;
use crate::time::Zone;
use crate::time::expr::{self, Language};
use draft::{Draft, Reading, Setting};
use mapping::Mapping;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use when::{Said, place};

pub use explain::{ExplainedClaim, ExplainedWord, Explanation};

/// The name of the extractor, as claims record it.
pub const RULES: &str = "rules";

/// The importance of a claim before the policy has weighed it.
const IMPORTANCE: f64 = 0.5;

/// What is wrong with a pack of patterns.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{of}: {reason}")]
pub struct PatternError {
    /// The pack, the relation or the class to blame.
    pub of: String,
    /// What is wrong, naming the value.
    pub reason: String,
}

impl PatternError {
    fn unreadable(of: &str, reason: String) -> Self {
        Self { of: of.to_owned(), reason }
    }
}

/// Reads prose and tools' results by rules, without a model: English and Japanese.
#[derive(Clone, Debug)]
pub struct Rules {
    english: Arc<en::Grammar>,
    japanese: Arc<ja::Language>,
    /// For tools that have none of their own.
    mapping: Arc<Mapping>,
    /// By the name of the tool.
    tools: BTreeMap<String, Mapping>,
}

impl Default for Rules {
    fn default() -> Self {
        Self { english: en::Grammar::shipped(), japanese: ja::Language::shipped(), mapping: Mapping::shipped(), tools: BTreeMap::new() }
    }
}

impl Rules {
    /// The shipped rules with a tenant's packs of English patterns laid over them.
    ///
    /// # Errors
    /// [`PatternError`] names the relation and the pattern that cannot be read.
    pub fn with_english(packs: &[&str]) -> Result<Self, PatternError> {
        Ok(Self { english: Arc::new(en::Grammar::with(packs)?), ..Self::default() })
    }

    /// The same with a tenant's packs of Japanese phrasings laid over the shipped ones.
    ///
    /// # Errors
    /// [`PatternError`] names the relation and the phrasing that cannot be read.
    pub fn with_japanese(self, packs: &[&str]) -> Result<Self, PatternError> {
        Ok(Self { japanese: Arc::new(ja::Language::with(packs)?), ..self })
    }

    /// The same, reading the results of one tool by a mapping of its own (TOML: `heads` and a table for each relation).
    ///
    /// # Errors
    /// [`PatternError`] names what cannot be read.
    pub fn with_tool(mut self, tool: &str, mapping: &str) -> Result<Self, PatternError> {
        self.tools.insert(tool.to_owned(), Mapping::read(mapping)?);
        Ok(self)
    }

    /// How an observation is read, for somebody who wants to know why.
    ///
    /// ```
    /// use erstwhile::Incoming;
    /// use erstwhile::extract::{Context, Rules};
    /// use erstwhile::model::{Authority, ObservationKind, Source};
    /// use erstwhile::time::ZonedInstant;
    ///
    /// let said = ZonedInstant::parse("2024-05-01T09:00:00Z")?;
    /// let source = Source { authority: Authority::User, name: None };
    /// let turn = Incoming::from_text(ObservationKind::Chat, said, source, "I have lived in Oslo since 2019.");
    /// let explanation = Rules::default().explain(&turn, &Context::default());
    /// assert_eq!(explanation.claims[0].claim.relation, "lives_in");
    /// assert!(explanation.to_string().contains("user | lives_in | Oslo | holds | since 2019"), "{explanation}");
    /// # Ok::<(), erstwhile::time::TimeError>(())
    /// ```
    #[must_use]
    pub fn explain(&self, incoming: &Incoming, context: &Context<'_>) -> Explanation {
        let zone = zone_of(&incoming.observation);
        let explained = self.run(&incoming.observation, context, true, |text, reading, setting, marks| {
            let word = |tagged: &draft::Tagged| ExplainedWord {
                text: text.get(tagged.bytes.clone()).unwrap_or_default().to_owned(),
                tag: tagged.tag.clone(),
            };
            let words = reading.tagged.iter().map(word).collect();
            let (extraction, patterns) = finish(text, reading, setting, context, marks);
            let claims = extraction.claims.into_iter().zip(patterns);
            let claims = claims.map(|(claim, (pattern, bytes))| ExplainedClaim {
                claim,
                pattern,
                said: text.get(bytes).unwrap_or_default().to_owned(),
            });
            Explanation { words, claims: claims.collect(), open: extraction.open, rejected: extraction.rejected, zone }
        });
        explained.unwrap_or(Explanation { words: Vec::new(), claims: Vec::new(), open: Vec::new(), rejected: Vec::new(), zone })
    }

    /// Reads an observation's text, if it has one that is not merely the wrapping of ready claims.
    fn run<O>(
        &self,
        observation: &Observation,
        context: &Context<'_>,
        traced: bool,
        done: impl FnOnce(&str, Reading, &Setting<'_>, Option<&Visible>) -> O,
    ) -> Option<O> {
        let written = observation.text.as_deref().filter(|_| observation.kind != ObservationKind::Claims)?;
        // What nobody sees cuts no word: the grammars read what is seen, and places are led back to what is written.
        let marks = Visible::of(written);
        let text = marks.as_ref().map_or(written, |visible| visible.text.as_str());
        let shown = shown(observation, text);
        let observation = shown.as_ref().unwrap_or(observation);
        let turns: Option<Vec<Turn>> = context.before.iter().any(is_marked).then(|| context.before.iter().map(unmarked).collect());
        let language = language_of(text);
        let calendar = expr::Context::new(observation.observed_at.at, zone_of(observation)).in_language(language);
        let times = expr::find(text, &calendar);
        let setting = Setting { observation, before: turns.as_deref().unwrap_or(context.before), times: &times, calendar, traced };
        let reading = self.read(text, language, &setting);
        Some(done(text, reading, &setting, marks.as_ref()))
    }

    fn read(&self, text: &str, language: Language, setting: &Setting<'_>) -> Reading {
        if setting.is_written()
            && let Some(records) = structure::records(text)
        {
            let tool = setting.observation.source.name.as_deref().and_then(|name| self.tools.get(name));
            return tool.unwrap_or(&self.mapping).drafts(&records, setting);
        }
        if language == Language::Japanese { ja::read(text, setting, &self.japanese) } else { en::read(text, setting, &self.english) }
    }
}

impl Extractor for Rules {
    fn name(&self) -> &'static str {
        RULES
    }

    fn explain(&self, incoming: &Incoming, context: &Context<'_>) -> Option<Explanation> {
        Some(Self::explain(self, incoming, context))
    }

    fn extract(&self, incoming: &Incoming, context: &Context<'_>) -> Extraction {
        self.run(&incoming.observation, context, false, |text, reading, setting, marks| finish(text, reading, setting, context, marks).0)
            .unwrap_or_default()
    }
}

/// An observation as it is seen, if that is not as it is written.
fn shown(observation: &Observation, text: &str) -> Option<Observation> {
    let speaker = observation.speaker.as_deref().map(visible);
    let unmarked = observation.text.as_deref() == Some(text) && !matches!(speaker, Some(Cow::Owned(_)));
    (!unmarked).then(|| Observation { text: Some(text.to_owned()), speaker: speaker.map(Cow::into_owned), ..observation.clone() })
}

fn is_marked(turn: &Turn) -> bool {
    let marked = |text: &str| matches!(visible(text), Cow::Owned(_));
    marked(&turn.text) || turn.speaker.as_deref().is_some_and(marked)
}

fn unmarked(turn: &Turn) -> Turn {
    let speaker = turn.speaker.as_deref().map(|speaker| visible(speaker).into_owned());
    Turn { speaker, text: visible(&turn.text).into_owned(), ..turn.clone() }
}

/// The zone that the observation's own offset makes.
fn zone_of(observation: &Observation) -> Zone {
    Zone::fixed(observation.observed_at.offset_minutes).unwrap_or(Zone::UTC)
}

/// Japanese where its writing is not just a name or two among Latin letters, else English.
fn language_of(text: &str) -> Language {
    let japanese = text.chars().filter(|c| is_japanese(*c)).count();
    // Four letters take about the room of one syllable or ideograph.
    let latin = text.chars().filter(char::is_ascii_alphabetic).count();
    if japanese > 0 && japanese * 4 >= latin { Language::Japanese } else { Language::English }
}

/// Whether a character is a syllable or an ideograph.
const fn is_japanese(c: char) -> bool {
    matches!(c, '\u{3005}' | '\u{3041}'..='\u{309f}' | '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}

/// Places the drafts in time and makes claims of them; what is said twice is claimed once. With the claims, their patterns and places.
fn finish(
    text: &str,
    reading: Reading,
    setting: &Setting<'_>,
    context: &Context<'_>,
    marks: Option<&Visible>,
) -> (Extraction, Vec<(String, Range<usize>)>) {
    let mut patterns = Vec::new();
    let mut extraction = Extraction::default();
    let mut ordinal = 0;
    let mut reject = |kind: RejectionKind, field: Option<&str>, reason: String, extraction: &mut Extraction| {
        extraction.rejected.push(RejectedCandidate { ordinal, field: field.map(str::to_owned), kind, reason });
        ordinal += 1;
    };
    let mut position = Position::default();
    for refusal in reading.refused {
        reject(refusal.kind, None, refusal.reason, &mut extraction);
    }
    let mut placed = |draft: &Draft| {
        let kind = context.relations.and_then(|relations| relations.policy(&draft.relation)).map_or(RelationKind::State, |one| one.kind);
        let mut claim = claim(text, draft, kind, setting, &mut position)?;
        if let (Some(visible), Some(quote)) = (marks, &mut claim.quote) {
            let more = |byte, begins| u32::try_from(visible.left_out(byte, begins)).unwrap_or(u32::MAX);
            quote.from = quote.from.saturating_add(more(draft.quote.start, true));
            quote.to = quote.to.saturating_add(more(draft.quote.end, false));
        }
        Ok(claim)
    };
    for open in reading.open {
        match placed(&open.draft) {
            Ok(claim) => extraction.open.push(OpenEnd { claim, which: open.which, beside: open.beside }),
            Err((field, reason)) => reject(RejectionKind::Malformed, Some(field), reason, &mut extraction),
        }
    }
    for draft in reading.drafts {
        match placed(&draft) {
            Ok(claim) if extraction.claims.iter().any(|known| is_same(known, &claim)) => {}
            Ok(claim) => {
                extraction.claims.push(claim);
                patterns.push((draft.pattern, draft.quote));
            }
            Err((field, reason)) => reject(RejectionKind::Malformed, Some(field), reason, &mut extraction),
        }
    }
    (extraction, patterns)
}

fn is_same(one: &Claim, other: &Claim) -> bool {
    one.head == other.head
        && one.relation == other.relation
        && one.tail == other.tail
        && one.polarity == other.polarity
        && one.span == other.span
}

fn claim(
    text: &str,
    draft: &Draft,
    kind: RelationKind,
    setting: &Setting<'_>,
    position: &mut Position,
) -> Result<Claim, (&'static str, String)> {
    let said = Said { phase: draft.phase, polarity: draft.polarity, kind, times: &draft.times, calendar: &setting.calendar };
    let placed = place(&said).map_err(|reason| ("from", reason))?;
    let name = |field: &'static str, text: &str| {
        let term = Term::Name(text.to_owned());
        term.check().map_err(|error| (field, error.to_string()))?;
        Ok(term)
    };
    Ok(Claim {
        head: name("head", &draft.head)?,
        relation: draft.relation.clone(),
        tail: name("tail", &draft.tail)?,
        polarity: placed.polarity,
        span: placed.span,
        seen_at: placed.seen_at,
        confidence: draft.confidence,
        importance: IMPORTANCE,
        context: None,
        corrects: draft.corrects.as_deref().map(|tail| name("corrects", tail)).transpose()?.map(Correction::Tail),
        quote: position.quote(text, &draft.quote),
        extractor: RULES.to_owned(),
    })
}

/// Counts characters up to a byte of the text, going on from the last one it was asked for where it can.
#[derive(Debug, Default)]
struct Position {
    byte: usize,
    chars: usize,
}

impl Position {
    fn at(&mut self, text: &str, byte: usize) -> usize {
        if byte < self.byte {
            *self = Self::default();
        }
        self.chars += text.get(self.byte..byte).map_or(0, |between| between.chars().count());
        self.byte = byte;
        self.chars
    }

    fn quote(&mut self, text: &str, bytes: &Range<usize>) -> Option<Quote> {
        text.get(bytes.clone()).filter(|quoted| !quoted.is_empty())?;
        let (from, to) = (self.at(text, bytes.start), self.at(text, bytes.end));
        Some(Quote { from: u32::try_from(from).ok()?, to: u32::try_from(to).ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Authority, Source};
    use crate::time::ZonedInstant;

    /// What a turn of "Ana" with a mark of direction in her name says: head, tail, and the words quoted.
    fn said(text: &str) -> Vec<(String, String, String)> {
        let at = ZonedInstant::parse("2024-05-16T10:00:00Z").unwrap();
        let mut turn = Incoming::from_text(ObservationKind::Chat, at, Source { authority: Authority::User, name: None }, text);
        turn.observation.speaker = Some("Ana\u{202e}".to_owned());
        let read = Rules::default().extract(&turn, &Context::default());
        let quoted = |claim: &Claim| {
            let quote = claim.quote.unwrap();
            text.chars().skip(quote.from as usize).take((quote.to - quote.from) as usize).collect()
        };
        read.claims.iter().map(|claim| (claim.head.to_string(), claim.tail.to_string(), quoted(claim))).collect()
    }

    #[test]
    fn invisible_marks_cut_no_name_and_places_index_what_is_written() {
        for (marked, plain) in [
            ("\u{feff}Hi. I work at O\u{200b}rb.", "Hi. I work at Orb."),
            ("I live in Ro\u{202e}me.", "I live in Rome."),
            ("I live in Köln\u{ad}Deutz.", "I live in KölnDeutz."),
            ("私は星空\u{200b}運輸で働\u{200d}いています。", "私は星空運輸で働いています。"),
            ("\u{200b}20\u{200b}01年から小\u{ad}樽に住んでいます。", "2001年から小樽に住んでいます。"),
        ] {
            let (marked, plain) = (said(marked), said(plain));
            assert_eq!(plain.len(), 1, "{plain:?}");
            let (head, tail, words) = &marked[0];
            assert_eq!((head, tail), (&plain[0].0, &plain[0].1));
            assert_eq!(visible(words), plain[0].2, "the quote is the same words, with their marks");
        }
    }
}
