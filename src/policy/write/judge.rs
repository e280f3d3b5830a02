//! What comes after extraction: each claim is kept or refused, and weighed. Knows no extractor and no store.

use super::file::Taken;
use super::mask::Kinds;
use super::screen::{held, place_of};
use super::words::{Folded, Hit, sentences};
use super::{Consents, Cue, Refusal, WritePolicy, orders, sorts, unread};
use crate::model::{Authority, Claim, Correction, Observation, ObservationKind, Polarity, Quote, READY, Term};
use crate::policy::{Canonical, Policies};
use crate::resolve::identity;
use crate::time::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// What a claim's news is, held against what is believed when it comes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum News {
    /// Nothing is believed of this head and relation.
    New,
    /// Something else is.
    Changed,
    /// Just this is.
    Known,
}

/// What is believed, for whoever judges claims. Implemented by the memory; a read only.
pub trait Novelty {
    /// What a claim tells that is not believed yet, by its head, relation, tail and polarity.
    fn news(&self, claim: &Claim) -> News;

    /// The sorts a term is known to be of ("person", "place"), by the names that relation packs use; nothing where none is known.
    fn sorts(&self, _term: &Term) -> Vec<String> {
        Vec::new()
    }
}

/// A memory that is empty: everything is new, and no term is of any known sort.
#[derive(Clone, Copy, Debug, Default)]
pub struct NothingKnown;

impl Novelty for NothingKnown {
    fn news(&self, _claim: &Claim) -> News {
        News::New
    }
}

/// What claims are judged by, made ready once for any number of observations.
#[derive(Debug)]
pub struct Rules<'r> {
    policy: &'r WritePolicy,
    relations: &'r Policies,
    consents: &'r Consents,
    /// What the policy's lists say of relations, by canonical name.
    listed: FxHashMap<String, Listed>,
}

/// What lists say of one relation.
#[derive(Clone, Debug, Default)]
struct Listed {
    never: bool,
    only: bool,
    /// Importance classes, by their place in the file.
    classes: Vec<u16>,
    /// The category that says what it is about.
    category: Option<String>,
}

impl<'r> Rules<'r> {
    /// What is remembered and what not; the relations, which say what is sensitive and what sorts they take; the consents that are recorded.
    ///
    /// # Complexity
    /// Linear in the lists of relations of the policy.
    #[must_use]
    pub fn new(policy: &'r WritePolicy, relations: &'r Policies, consents: &'r Consents) -> Self {
        let file = policy.file();
        let mut listed: FxHashMap<String, Listed> = FxHashMap::default();
        let mut note = |names: &[String], note: &dyn Fn(&mut Listed)| {
            for name in names {
                note(listed.entry(relations.canonical(name).relation.into_owned()).or_default());
            }
        };
        note(&file.remember.never, &|listed| listed.never = true);
        note(&file.remember.only, &|listed| listed.only = true);
        for (class, place) in file.importance.class.values().zip(0..) {
            note(&class.relations, &|listed| listed.classes.push(place));
        }
        for (name, category) in &file.sensitive.category {
            note(&category.relations, &|listed| {
                listed.category.get_or_insert_with(|| name.clone());
            });
        }
        Self { policy, relations, consents, listed }
    }

    fn listed(&self, canonical: &Canonical<'_>) -> Option<&Listed> {
        self.listed.get(canonical.relation.as_ref())
    }
}

/// Where a claim's importance comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Weight {
    /// The importance class that counted; `None` is incidental.
    pub class: Option<String>,
    /// What was news.
    pub news: News,
    /// Whether it was said to be so for now only.
    pub passing: bool,
}

/// A claim that is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// Its place among the claims judged, from 0.
    pub ordinal: u32,
    /// The claim; of one read from prose, with its importance.
    pub claim: Claim,
    /// Why that importance; `None` for a ready claim, which keeps the one it came with.
    pub weight: Option<Weight>,
}

/// What is not kept, and why: a claim, or a stretch of the text that nothing is read from. A value, not an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The claim's place among those judged, from 0; `None` of a stretch of the text.
    pub ordinal: Option<u32>,
    /// Why, as something to count.
    pub why: Refusal,
    /// Why, for people: names relations, categories and subjects, and no value that is masked or sensitive.
    pub reason: String,
}

/// What became of an observation's claims: each is in one list or the other, in their order. Stretches of its text that are not read come
/// first among what is refused.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judged {
    /// Those to record.
    pub kept: Vec<Kept>,
    /// The others.
    pub refused: Vec<Refused>,
}

impl Judged {
    /// The claims to record, in their order.
    #[must_use]
    pub fn into_claims(self) -> Vec<Claim> {
        self.kept.into_iter().map(|kept| kept.claim).collect()
    }
}

/// Keeps or refuses each claim of a screened observation, and weighs those it keeps.
///
/// Claims read from prose are held against every rule. Ready claims (extractor [`READY`]) were chosen by whoever made them: they are held
/// against what is taken from their source, the length of terms, masks, and consent if the policy says so.
///
/// The importance of a claim read from prose is the greatest value of the classes it is of (by its relation, or by a phrase in its
/// sentence), else `incidental`; plus `new`, `changed` or `known`; plus `passing` if it is said to be so for now only; within 0 to 1.
///
/// Source of the threshold `least_importance`: Write(e) = 1 if importance(e) > τ, the filter before what is committed to long-term memory.
///
/// ```
/// use erstwhile::model::{Authority, Claim, ObservationKind, Polarity, Source, Term};
/// use erstwhile::policy::{Consents, NothingKnown, Policies, Refusal, Rules, WritePolicy, judge};
/// use erstwhile::time::{End, Span, Start, ZonedInstant};
/// use erstwhile::Incoming;
/// let at = ZonedInstant::parse("2024-05-01T09:00:00Z")?;
/// let user = Source { authority: Authority::User, name: None };
/// let turn = Incoming::from_text(ObservationKind::Chat, at, user, "Remember that I moved to Oslo. My knee has arthritis.");
/// let claim = |relation: &str, tail: &str| Claim {
///     head: Term::Name("Ana".to_owned()),
///     relation: relation.to_owned(),
///     tail: Term::Name(tail.to_owned()),
///     polarity: Polarity::Holds,
///     span: Span::new(Start::By(at.at), End::Open).expect("a span"),
///     seen_at: Some(at.at),
///     confidence: 0.9,
///     importance: 0.5,
///     context: None,
///     corrects: None,
///     quote: None,
///     extractor: "rules".to_owned(),
/// };
/// let claims = vec![claim("lives_in", "Oslo"), claim("has_condition", "arthritis")];
/// let (policy, relations, consents) = (WritePolicy::shipped(), Policies::shipped(), Consents::default());
/// let rules = Rules::new(&policy, &relations, &consents);
/// let judged = judge(claims, &turn.observation, &rules, &NothingKnown);
/// assert_eq!(judged.kept.len(), 1);
/// assert_eq!((judged.refused[0].why, &*judged.refused[0].reason), (Refusal::Consent, "has_condition is health, and needs the consent of \"Ana\""));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Complexity
/// Linear in the text and in the claims, plus a look-up of each.
#[must_use]
pub fn judge(claims: Vec<Claim>, observation: &Observation, rules: &Rules<'_>, known: &dyn Novelty) -> Judged {
    let prose = claims.iter().any(|claim| claim.extractor != READY);
    let said = prose.then(|| Said::of(observation, rules.policy));
    let kinds = rules.policy.masks(place_of(observation), observation.speaker.as_deref(), rules.consents);
    let bench = Bench { observation, rules, known, said, kinds };
    let mut judged = Judged { kept: Vec::with_capacity(claims.len()), refused: Vec::new() };
    // Where there are ready claims alone, nobody reads the text.
    if observation.kind != ObservationKind::Claims && (prose || claims.is_empty()) && bench.source(true).is_ok() {
        judged.refused = bench.unread();
    }
    let mut seen = FxHashSet::default();
    let mut taken_from_prose = 0;
    for (claim, ordinal) in claims.into_iter().zip(0..) {
        let ready = claim.extractor == READY;
        let verdict = if ready {
            bench.ready(&claim).map(|()| None)
        } else {
            bench.prose(&claim, &mut seen, taken_from_prose).map(|(importance, weight)| Some((importance, weight)))
        };
        match verdict {
            Ok(None) => judged.kept.push(Kept { ordinal, claim, weight: None }),
            Ok(Some((importance, weight))) => {
                taken_from_prose += 1;
                judged.kept.push(Kept { ordinal, claim: Claim { importance, ..claim }, weight: Some(weight) });
            }
            Err((why, reason)) => judged.refused.push(Refused { ordinal: Some(ordinal), why, reason }),
        }
    }
    judged
}

/// The category of sensitive relations that no category lists.
pub const OTHER: &str = "other";

/// Why not.
type No = (Refusal, String);

/// What a stretch is that is not read for such a reason.
fn what(why: Refusal) -> &'static str {
    if why == Refusal::Instruction { "an order to whoever reads it" } else { "a block of recalled memory" }
}

/// What is the same for all claims of an observation.
struct Bench<'b> {
    observation: &'b Observation,
    rules: &'b Rules<'b>,
    known: &'b dyn Novelty,
    said: Option<Said>,
    /// What is masked in such an observation.
    kinds: Kinds,
}

/// The text with what its phrases tell, in bytes of its folded form, and a way there from characters.
struct Said {
    cues: Vec<Hit<Cue>>,
    sentences: Vec<Range<usize>>,
    /// Stretches that are not read, in bytes of the text.
    unread: Vec<(Range<usize>, Refusal)>,
    /// The byte of each 64th character of the text, and its length.
    places: Vec<usize>,
    folded: bool,
}

const STRIDE: usize = 64;

impl Said {
    fn of(observation: &Observation, policy: &WritePolicy) -> Self {
        let text = observation.text.as_deref().unwrap_or_default();
        let folded = Folded::new(text);
        let mut cues = policy.0.cues.find(&folded);
        cues.retain(|hit| !matches!(hit.what, Cue::Class(_, true)) || is_request(&folded.lower, hit.start));
        // Cues and sentences are compared in the text as given.
        for hit in &mut cues {
            let given = folded.given(hit.start..hit.end);
            (hit.start, hit.end) = (given.start, given.end);
        }
        let unread = unread::unread(observation, policy);
        let places = text.char_indices().step_by(STRIDE).map(|(at, _)| at).chain([text.len()]).collect();
        Self { cues, sentences: sentences(text), unread, places, folded: text.is_ascii() }
    }

    /// A stretch of characters in bytes.
    fn bytes(&self, text: &str, quote: Quote) -> Range<usize> {
        let place = |at: u32| {
            let at = at as usize;
            if self.folded {
                return at.min(text.len());
            }
            let stride = self.places.get(at / STRIDE).copied().unwrap_or(text.len());
            let rest = text.get(stride..).unwrap_or_default();
            rest.char_indices().nth(at % STRIDE).map_or(text.len(), |(offset, _)| stride + offset)
        };
        place(quote.from)..place(quote.to)
    }

    /// The sentences that a stretch lies in, and as many on either side.
    fn around(&self, stretch: &Range<usize>, more: usize) -> Range<usize> {
        let first = self.sentences.partition_point(|sentence| sentence.end <= stretch.start).saturating_sub(more);
        let after = self.sentences.partition_point(|sentence| sentence.start < stretch.end) + more;
        let start = self.sentences.get(first).map_or(0, |sentence| sentence.start);
        let end = self.sentences.get(after.saturating_sub(1)).or(self.sentences.last()).map_or(0, |sentence| sentence.end);
        start..end
    }
}

/// Whether words that ask for something to be remembered do ask: nobody before them says that they remember.
fn is_request(lower: &str, start: usize) -> bool {
    let before = lower.get(lower.floor_char_boundary(start.saturating_sub(24))..start).unwrap_or_default();
    let clause = before.rsplit(['.', '!', '?', '\n', ',', ';']).next().unwrap_or_default();
    let mut words = clause.split(' ').filter(|word| !word.is_empty()).rev();
    match words.next() {
        Some(
            "i" | "we" | "he" | "she" | "they" | "people" | "still" | "will" | "always" | "barely" | "cannot" | "can't" | "couldn't"
            | "don't" | "didn't" | "doesn't" | "not",
        ) => false,
        // "Do you remember that" asks; "can you remember that" asks for it.
        Some("you") => !matches!(words.next(), Some("do" | "did" | "if" | "as")),
        _ => true,
    }
}

impl Bench<'_> {
    fn ready(&self, claim: &Claim) -> Result<(), No> {
        self.source(false)?;
        self.fits(claim)?;
        if self.rules.policy.file().sensitive.ready_claims {
            let canonical = self.rules.relations.canonical(&claim.relation);
            self.consent(claim, &canonical)?;
        }
        Ok(())
    }

    /// The importance of a claim from prose, and why; or why it is refused.
    fn prose(&self, claim: &Claim, seen: &mut FxHashSet<Same>, taken: usize) -> Result<(f64, Weight), No> {
        let file = self.rules.policy.file();
        self.source(true)?;
        self.fits(claim)?;
        let stretch = self.stretch(claim);
        let said = self.said.as_ref();
        if let (Some(said), Some(stretch)) = (said, &stretch)
            && let Some((_, why)) = said.unread.iter().find(|(block, _)| block.start < stretch.end && stretch.start < block.end)
        {
            return Err((*why, format!("it stands in {}", what(*why))));
        }
        self.orders(claim)?;
        if let Some((field, kind)) = held(self.rules.policy, self.kinds, claim, self.observation.text.as_deref().unwrap_or_default()) {
            return Err((Refusal::Masked, format!("its {field} has what is masked as {kind}")));
        }
        let canonical = self.rules.relations.canonical(&claim.relation);
        self.relation(&canonical)?;
        self.consent(claim, &canonical)?;
        self.sorts(claim, &canonical)?;
        let least = self.rules.policy.least_confidence(&self.observation.source);
        if claim.confidence < least {
            return Err((Refusal::Confidence, format!("its confidence {} is below {least}, which its source needs", claim.confidence)));
        }
        let cues = self.cues(stretch.as_ref());
        if cues.guess && !file.remember.guesses {
            return Err((Refusal::Guess, "it is said as a guess".to_owned()));
        }
        let news = self.known.news(claim);
        if self.observation.source.authority == Authority::Assistant && news == News::Known && !file.remember.echoes {
            return Err((Refusal::Echo, "the assistant says what is believed already".to_owned()));
        }
        let (importance, weight) = self.weigh(&canonical, &cues, news);
        let least = file.remember.least_importance.0;
        if importance < least {
            return Err((Refusal::Importance, format!("its importance {importance} is below {least}")));
        }
        if !seen.insert(Same::of(claim, &canonical)) {
            return Err((Refusal::Duplicate, "the observation says it twice".to_owned()));
        }
        if taken >= file.limits.claims {
            return Err((Refusal::TooMany, format!("the observation made more than {} claims", file.limits.claims)));
        }
        Ok((importance, weight))
    }

    /// The stretches of the text that nothing is read from.
    fn unread(&self) -> Vec<Refused> {
        let read;
        let stretches = if let Some(said) = &self.said {
            &said.unread
        } else {
            read = unread::unread(self.observation, self.rules.policy);
            &read
        };
        let text = self.observation.text.as_deref().unwrap_or_default();
        let refused = stretches.iter().map(|(range, why)| {
            let length = text.get(range.clone()).map_or(0, |part| part.trim().chars().count());
            Refused { ordinal: None, why: *why, reason: format!("{} of {length} characters is not read", what(*why)) }
        });
        refused.collect()
    }

    /// Refuses what a page says as the user or of "the user", and values that are orders.
    fn orders(&self, claim: &Claim) -> Result<(), No> {
        const SPEAKERS: [&str; 16] = [
            "i",
            "me",
            "we",
            "you",
            "user",
            "the user",
            "this user",
            "assistant",
            "the assistant",
            "私",
            "僕",
            "俺",
            "あなた",
            "ユーザー",
            "ユーザ",
            "アシスタント",
        ];
        let policy = self.rules.policy;
        if !policy.is_page(self.observation) {
            return Ok(());
        }
        for (field, term) in [("head", &claim.head), ("tail", &claim.tail)] {
            let said = text_of(term);
            if SPEAKERS.iter().any(|speaker| said.trim().eq_ignore_ascii_case(speaker)) {
                return Err((Refusal::Instruction, format!("its {field} is {said:?}, and a page speaks neither as the user nor to them")));
            }
            if orders::is_order(said, &policy.0.orders) {
                return Err((Refusal::Instruction, format!("its {field} is an order")));
            }
        }
        Ok(())
    }

    fn source(&self, prose: bool) -> Result<(), No> {
        match self.rules.policy.taken(self.observation, prose) {
            (Taken::Facts, _) => Ok(()),
            (taken, Some(Refusal::Role)) => {
                let role = self.observation.role.as_deref().unwrap_or_default();
                Err((Refusal::Role, format!("of the role {role:?} {taken} is taken")))
            }
            (taken, _) => Err((Refusal::Source, format!("of this source {taken} is taken"))),
        }
    }

    /// The length of terms, and whether anything is left of them.
    fn fits(&self, claim: &Claim) -> Result<(), No> {
        let file = self.rules.policy.file();
        for (field, term) in [("head", &claim.head), ("tail", &claim.tail)] {
            let text = text_of(term);
            if text.len() > file.limits.term {
                return Err((Refusal::TooLong, format!("its {field} of {} bytes is longer than {}", text.len(), file.limits.term)));
            }
            if claim.extractor != READY && text.len() > file.limits.prose_term && text.chars().count() > file.limits.prose_term {
                return Err((Refusal::TooLong, format!("its {field} is longer than {} characters", file.limits.prose_term)));
            }
            if text.contains('[') && is_masked(text, file.mask.kind.values().map(|rule| rule.r#as.0.as_str())) {
                return Err((Refusal::Masked, format!("its {field} is {text}")));
            }
        }
        Ok(())
    }

    fn relation(&self, canonical: &Canonical<'_>) -> Result<(), No> {
        let remember = &self.rules.policy.file().remember;
        let listed = self.rules.listed(canonical);
        let refused = |why: &str| Err((Refusal::Relation, format!("{} {why}", canonical.relation)));
        if listed.is_some_and(|listed| listed.never) {
            return refused("is never taken from prose");
        }
        if !remember.only.is_empty() && !listed.is_some_and(|listed| listed.only) {
            return refused("is none of the relations that are taken from prose");
        }
        if !canonical.known && !remember.undeclared {
            return refused("is declared by no pack");
        }
        Ok(())
    }

    /// Refuses what takes a consent that is not recorded: of the claim's head, or of everyone.
    fn consent(&self, claim: &Claim, canonical: &Canonical<'_>) -> Result<(), No> {
        let subject = text_of(&claim.head);
        let missing = |category: &str| !self.rules.consents.allow(subject, category);
        let no = |category: &str| {
            let what = category.replace('_', " ");
            Err((Refusal::Consent, format!("{} is {what}, and needs the consent of {subject:?}", canonical.relation)))
        };
        let categories = &self.rules.policy.file().sensitive.category;
        if canonical.policy.sensitive {
            let category = self.rules.listed(canonical).and_then(|listed| listed.category.as_deref()).unwrap_or(OTHER);
            if missing(category) {
                return no(category);
            }
        }
        let hits = self.rules.policy.0.sensitive.find(&Folded::new(text_of(&claim.tail)));
        let spoken = hits.iter().filter_map(|hit| categories.keys().nth(usize::from(hit.what)));
        match spoken.into_iter().find(|category| missing(category)) {
            Some(category) => no(category),
            None => Ok(()),
        }
    }

    fn sorts(&self, claim: &Claim, canonical: &Canonical<'_>) -> Result<(), No> {
        if !self.rules.policy.file().remember.check_terms {
            return Ok(());
        }
        let (domain, range) = sorts::declared(canonical.policy, canonical.inverted);
        for (why, declared, term) in [(Refusal::Range, range, &claim.tail), (Refusal::Domain, domain, &claim.head)] {
            if let Some(is) = sorts::misfit(declared, term, || self.known.sorts(term)) {
                let side = if why == Refusal::Range { "tail" } else { "head" };
                return Err((why, format!("the {side} of {} is a {}, and {term} is {is}", claim.relation, declared.join(" or "))));
            }
        }
        Ok(())
    }

    /// Where the claim is said, in bytes of the text.
    fn stretch(&self, claim: &Claim) -> Option<Range<usize>> {
        let text = self.observation.text.as_deref()?;
        let quote = claim.quote?;
        self.said.as_ref().map(|said| said.bytes(text, quote))
    }

    /// What phrases tell of a claim: those in its own sentences, and requests to remember beside them. A claim that says not where it
    /// stands is in the whole text.
    fn cues(&self, stretch: Option<&Range<usize>>) -> Cues {
        let mut told = Cues::default();
        let Some(said) = &self.said else { return told };
        let may_ask = self.rules.policy.may_ask(&self.observation.source);
        let own = stretch.map(|stretch| said.around(stretch, 0));
        let near = stretch.map(|stretch| said.around(stretch, 1));
        for hit in &said.cues {
            let within = |range: &Option<Range<usize>>| range.as_ref().is_none_or(|range| range.start <= hit.start && hit.end <= range.end);
            match hit.what {
                Cue::Guess if within(&own) => told.guess = true,
                Cue::Passing if within(&own) => told.passing = true,
                Cue::Class(class, true) if may_ask && within(&near) => told.classes.push(class),
                Cue::Class(class, false) if within(&own) => told.classes.push(class),
                Cue::Guess | Cue::Passing | Cue::Class(..) => {}
            }
        }
        told
    }

    fn weigh(&self, canonical: &Canonical<'_>, cues: &Cues, news: News) -> (f64, Weight) {
        let importance = &self.rules.policy.file().importance;
        let listed = self.rules.listed(canonical);
        let mut best = (importance.incidental.0, None);
        for ((name, class), place) in importance.class.iter().zip(0_u16..) {
            let is_of = |classes: &[u16]| classes.contains(&place);
            if class.value.0 > best.0 && (is_of(&cues.classes) || listed.is_some_and(|listed| is_of(&listed.classes))) {
                best = (class.value.0, Some(name));
            }
        }
        let news_value = match news {
            News::New => importance.new,
            News::Changed => importance.changed,
            News::Known => importance.known,
        };
        let passing = if cues.passing { importance.passing.0 } else { 0.0 };
        // Rounded, so that sums of what people write read as people write them.
        let value = ((best.0 + news_value.0 + passing) * 1000.0).round() / 1000.0;
        (value.clamp(0.0, 1.0), Weight { class: best.1.cloned(), news, passing: cues.passing })
    }
}

#[derive(Default)]
struct Cues {
    guess: bool,
    passing: bool,
    classes: Vec<u16>,
}

/// What makes two claims of an observation one: identities of head, relation, tail, context and what is corrected; polarity and span.
#[derive(PartialEq, Eq, Hash)]
struct Same {
    terms: [String; 3],
    relation: String,
    context: Option<String>,
    polarity: Polarity,
    span: Span,
}

impl Same {
    fn of(claim: &Claim, canonical: &Canonical<'_>) -> Self {
        let of = |term: &Term| {
            let mut written = String::new();
            identity(term.as_ref(), &mut written);
            written
        };
        let corrects = match &claim.corrects {
            Some(Correction::Tail(tail)) => of(tail),
            Some(Correction::Claim(id)) => id.to_string(),
            None => String::new(),
        };
        let (head, tail) = if canonical.inverted { (&claim.tail, &claim.head) } else { (&claim.head, &claim.tail) };
        Self {
            terms: [of(head), of(tail), corrects],
            relation: canonical.relation.clone().into_owned(),
            context: claim.context.clone(),
            polarity: claim.polarity,
            span: claim.span,
        }
    }
}

/// What a term says, whatever it is.
fn text_of(term: &Term) -> &str {
    match term {
        Term::Name(text) | Term::Iri(text) | Term::Blank(text) => text,
        Term::Literal(literal) => &literal.lexical,
    }
}

/// Whether nothing but one placeholder is left of a text, with the name of a vault in it or not.
fn is_masked<'p>(text: &str, mut placeholders: impl Iterator<Item = &'p str>) -> bool {
    let text = text.trim();
    let is = |placeholder: &str| {
        let rest = text.strip_prefix(placeholder.trim_end_matches(']')).and_then(|rest| rest.strip_suffix(']'));
        rest.is_some_and(|name| name.is_empty() || name.starts_with(" #"))
    };
    is("[masked]") || text.starts_with("[withheld, ") && text.ends_with(']') || placeholders.any(is)
}
