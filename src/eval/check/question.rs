//! Questions of a scenario: how each is asked of a memory, and how a wrong answer is told.

use super::super::EvalError;
use super::Bench;
use super::expect::{BareText, Difference, ExpectedFact, compare, held, optional_term};
#[cfg(feature = "sparql")]
use super::library;
use super::words::Words;
use crate::graph::{Answer, Hops, View};
use crate::ledger::PendingObservation;
use crate::memory::{Error, ErrorKind, Proposal, Tenant};
use crate::model::{Fact, Term};
use crate::retrieve::answer::{Outcome, Query as Asked};
#[cfg(feature = "sparql")]
use crate::sparql::library::Reading;
use crate::time::{AsOf, Instant, KnownAt, Moment, Zone, parse_moment};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Ask {
    Value,
    About,
    Holders,
    Timeline,
    Why,
    Neighbours,
    Diff,
    Stats,
    Observation,
    Verify,
    Tenants,
    Names,
    Candidates,
    Proposals,
    Merges,
    Pending,
    Query,
    Question,
}

/// Where to read; every part may be left to the scenario.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Position {
    at: Option<String>,
    known_at: Option<String>,
}

/// One line of `questions.jsonl`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Question {
    #[serde(skip)]
    pub(super) line: u64,
    ask: Ask,
    #[serde(default, deserialize_with = "optional_term")]
    head: Option<Term>,
    relation: Option<String>,
    #[serde(default, deserialize_with = "optional_term")]
    tail: Option<Term>,
    #[serde(default, deserialize_with = "optional_term")]
    entity: Option<Term>,
    /// Of `why`: which of several facts with this tail, by its start.
    from: Option<String>,
    /// Of `neighbours`.
    #[serde(default)]
    seeds: Vec<String>,
    hops: Option<u32>,
    /// Of `diff`: the two positions.
    between: Option<(Position, Position)>,
    /// Of `observation`.
    observation: Option<String>,
    /// Of `query`: which, and its parameters.
    name: Option<String>,
    #[serde(default)]
    params: Map<String, Value>,
    /// Of `question`: the words, and who asks.
    text: Option<String>,
    asker: Option<String>,
    context: Option<String>,
    at: Option<String>,
    known_at: Option<String>,
    zone: Option<String>,
    tenant: Option<String>,
    /// What to answer; `null` is "nothing", so the key counts by being there.
    #[serde(default, deserialize_with = "present")]
    expect: Option<Value>,
    /// How many known facts of the question do not hold there.
    suppressed: Option<u64>,
    /// The kind of error, or words of its message.
    error: Option<String>,
    /// For readers of the file.
    #[expect(dead_code, reason = "a comment of the scenario's author, accepted and not compared")]
    note: Option<String>,
}

fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// Why an answer could not be compared.
enum Fault {
    /// The question itself is wrong.
    Question(String),
    /// The memory refused.
    Memory(Error),
    /// A named query was refused.
    #[cfg(feature = "sparql")]
    Query(String),
}

impl<E: Into<Error>> From<E> for Fault {
    fn from(error: E) -> Self {
        Self::Memory(error.into())
    }
}

/// Whether an error is of the kind a person wrote, or says those words.
pub(super) fn error_fits(error: &Error, wanted: &str) -> bool {
    let kind = match error.kind() {
        ErrorKind::InvalidInput => "invalid input",
        ErrorKind::NotFound => "not found",
        ErrorKind::Limit => "limit",
        ErrorKind::Io => "io",
        ErrorKind::Corrupt => "corrupt",
        ErrorKind::Unavailable => "unavailable",
        ErrorKind::Bug => "bug",
    };
    kind == wanted || error.to_string().contains(wanted)
}

impl Question {
    /// Whether it reads an earlier transaction time, which only the scenario as written has.
    pub(super) fn asks_what_was_known(&self) -> bool {
        let positions = self.between.iter().flat_map(|(one, other)| [one, other]);
        self.known_at.is_some() || positions.into_iter().any(|position| position.known_at.is_some())
    }

    fn term<'a>(&self, term: Option<&'a Term>, what: &str) -> Result<&'a Term, Fault> {
        term.ok_or_else(|| Fault::Question(format!("{:?} needs {what:?}", self.ask)))
    }

    fn relation(&self) -> Result<&str, Fault> {
        self.relation.as_deref().ok_or_else(|| Fault::Question(format!("{:?} needs \"relation\"", self.ask)))
    }

    /// The question in words.
    fn describe(&self) -> String {
        let text = |term: &Option<Term>| term.as_ref().map_or_else(|| "?".to_owned(), ToString::to_string);
        let relation = self.relation.as_deref().unwrap_or("?");
        let asked = match self.ask {
            Ask::Value => format!("{relation} of {}", text(&self.head)),
            Ask::About => format!("everything about {}", text(&self.entity)),
            Ask::Holders => format!("who has {relation} {}", text(&self.tail)),
            Ask::Timeline => format!("the timeline of {} {}", text(&self.head), self.relation.as_deref().unwrap_or("(all relations)")),
            Ask::Why => format!("why {} {relation} {}", text(&self.head), text(&self.tail)),
            Ask::Neighbours => format!("neighbours of {} within {} hops", self.seeds.join(", "), self.hops.unwrap_or(1)),
            Ask::Diff => format!("what changed about {}", self.entity.as_ref().map_or_else(|| "anything".to_owned(), ToString::to_string)),
            Ask::Stats => "the counts".to_owned(),
            Ask::Observation => format!("observation {}", self.observation.as_deref().unwrap_or("?")),
            Ask::Verify => "verify".to_owned(),
            Ask::Tenants => "the tenants".to_owned(),
            Ask::Names => format!("the names of {}", text(&self.entity)),
            Ask::Candidates => format!("what {} may mean", text(&self.entity)),
            Ask::Proposals => "which entities may be one".to_owned(),
            Ask::Merges => "which entities are merged".to_owned(),
            Ask::Pending => "what waits".to_owned(),
            Ask::Question => format!("{:?}", self.text.as_deref().unwrap_or_default()),
            Ask::Query => format!("query {} {}", self.name.as_deref().unwrap_or("?"), Value::Object(self.params.clone())),
        };
        let said = [("in context", &self.context), ("valid at", &self.at), ("as known at", &self.known_at), ("in zone", &self.zone)];
        let said = said.into_iter().chain([("in tenant", &self.tenant)]);
        let said = said.filter_map(|(what, value)| value.as_ref().map(|value| format!("{what} {value}")));
        std::iter::once(asked).chain(said).collect::<Vec<_>>().join(", ")
    }
}

impl Bench<'_> {
    /// Asks; a wrong answer comes back in words.
    pub(super) fn ask(&self, question: &Question) -> Result<Option<String>, EvalError> {
        let tenant = self.tenant(question.tenant.as_deref())?;
        let zone = match &question.zone {
            Some(name) => Zone::parse(name).map_err(Error::from)?,
            None => self.scenario.zone,
        };
        let words = Words::new(self.scenario, &tenant, zone);
        let told = match (self.answer(question, &tenant, &words), &question.error) {
            (Ok(difference), None) if difference.is_empty() => return Ok(None),
            (Ok(difference), None) => difference,
            (Ok(_), Some(wanted)) => Difference { missing: vec![format!("an error: {wanted}")], surplus: vec!["an answer".to_owned()] },
            (Err(Fault::Memory(error)), Some(wanted)) if error_fits(&error, wanted) => return Ok(None),
            (Err(Fault::Memory(error)), wanted) => Difference {
                missing: vec![wanted.as_ref().map_or_else(|| "an answer".to_owned(), |wanted| format!("an error: {wanted}"))],
                surplus: vec![format!("an error ({:?}): {error}", error.kind())],
            },
            #[cfg(feature = "sparql")]
            (Err(Fault::Query(reason)), Some(wanted)) if reason.contains(wanted.as_str()) => return Ok(None),
            #[cfg(feature = "sparql")]
            (Err(Fault::Query(reason)), wanted) => Difference {
                missing: vec![wanted.as_ref().map_or_else(|| "an answer".to_owned(), |wanted| format!("an error: {wanted}"))],
                surplus: vec![format!("an error: {reason}")],
            },
            (Err(Fault::Question(reason)), _) => {
                Difference { missing: vec![format!("a question that can be asked: {reason}")], surplus: Vec::new() }
            }
        };
        let mut lines = vec![format!("questions.jsonl:{}: {}", question.line, question.describe())];
        lines.extend(told.missing.iter().map(|missing| format!("  - expected  {missing}")));
        lines.extend(told.surplus.iter().map(|surplus| format!("  + got       {surplus}")));
        lines.extend(self.timeline_of(question, &tenant, &words));
        Ok(Some(lines.join("\n")))
    }

    /// The timeline a reader needs to understand a wrong answer, in lines; none where the question has none.
    fn timeline_of(&self, question: &Question, tenant: &Tenant, words: &Words<'_>) -> Vec<String> {
        let Some(head) = question.head.as_ref().or(question.entity.as_ref()) else { return Vec::new() };
        let position = Position { at: None, known_at: question.known_at.clone() };
        let facts = self.view(tenant, &position, words.zone()).map(|view| view.timeline(head, question.relation.as_deref()));
        let Ok(Ok(facts)) = facts else { return Vec::new() };
        let heading = std::iter::once(format!("  the timeline of {head}:"));
        heading.chain(facts.iter().map(|fact| format!("    {}", words.fact(fact, None)))).collect()
    }

    fn view(&self, tenant: &Tenant, position: &Position, zone: Zone) -> Result<View, Error> {
        let valid_at = match &position.at {
            Some(text) => self.moment(text, zone)?,
            None => Moment::exact(self.scenario.now),
        };
        let known_at = match &position.known_at {
            Some(text) => KnownAt::At(last_instant(self.moment(text, zone)?)),
            None => KnownAt::Latest,
        };
        tenant.at(AsOf { valid_at, known_at })
    }

    fn moment(&self, text: &str, zone: Zone) -> Result<Moment, Error> {
        if text == "now" { Ok(Moment::exact(self.scenario.now)) } else { Ok(parse_moment(text, &zone)?) }
    }

    fn answer(&self, question: &Question, tenant: &Tenant, words: &Words<'_>) -> Result<Difference, Fault> {
        let here = Position { at: question.at.clone(), known_at: question.known_at.clone() };
        let view = || -> Result<View, Fault> { Ok(self.view(tenant, &here, words.zone())?.in_context(question.context.as_deref())) };
        match question.ask {
            Ask::Value => {
                let answer = view()?.values(question.term(question.head.as_ref(), "head")?, question.relation()?)?;
                facts_of(question, &answer, BareText::OtherEnd, words)
            }
            Ask::Holders => {
                let answer = view()?.holders(question.relation()?, question.term(question.tail.as_ref(), "tail")?)?;
                facts_of(question, &answer, BareText::OtherEnd, words)
            }
            Ask::About => {
                let about = view()?.about(question.term(question.entity.as_ref(), "entity")?)?;
                facts_of(question, &about.answer, BareText::SaysNothing, words)
            }
            Ask::Timeline => {
                let facts = view()?.timeline(question.term(question.head.as_ref(), "head")?, question.relation.as_deref())?;
                let expected = expected_facts(question.expect.as_ref(), BareText::OtherEnd)?;
                let got: Vec<(&Fact, _)> = facts.iter().map(|fact| (fact, None)).collect();
                compare(&expected, &got, words).map_err(Fault::Question)
            }
            Ask::Why => why(question, tenant, &view()?, words),
            Ask::Neighbours => {
                let seeds: Vec<Term> = question.seeds.iter().map(|seed| Term::Name(seed.clone())).collect();
                let how = Hops { hops: question.hops.unwrap_or(1), hub_limit: u32::MAX, limit: u32::MAX };
                let reached = view()?.neighbourhood(&seeds, how)?;
                let got: BTreeSet<String> = (reached.reached.iter().filter(|neighbour| neighbour.hops > 0))
                    .map(|neighbour| format!("{} ({})", neighbour.entity, neighbour.hops))
                    .collect();
                Ok(sets(&texts(question.expect.as_ref())?, &got))
            }
            Ask::Diff => self.diff(question, tenant, words),
            Ask::Stats => {
                let stats = tenant.stats()?;
                let unknown: Vec<String> = stats.unknown_relations.iter().map(|(name, _)| name.clone()).collect();
                fields(
                    question.expect.as_ref(),
                    &[
                        ("observations", stats.observations.into()),
                        ("claims", stats.claims.into()),
                        ("retracted", stats.retracted.into()),
                        ("facts", stats.facts.into()),
                        ("open", stats.open.into()),
                        ("contested", stats.contested.into()),
                        ("entities", stats.entities.into()),
                        ("relations", stats.relations.into()),
                        ("unknown_relations", unknown.into()),
                    ],
                )
            }
            Ask::Observation => {
                let name = question.observation.as_deref().unwrap_or_default();
                let stored = tenant.observation(self.id_of(tenant, name)?)?;
                fields(
                    question.expect.as_ref(),
                    &[
                        ("text", stored.observation.text.clone().into()),
                        ("speaker", stored.observation.speaker.clone().into()),
                        ("session", stored.observation.session.clone().into()),
                        ("claims", stored.claims.len().into()),
                    ],
                )
            }
            Ask::Verify => Ok(sets(&BTreeSet::new(), &tenant.verify()?.problems.into_iter().collect())),
            Ask::Tenants => {
                let names = self.memory.tenants()?.iter().map(|tenant| tenant.as_str().to_owned()).collect();
                Ok(sets(&texts(question.expect.as_ref())?, &names))
            }
            Ask::Names => {
                let names = view()?.names(question.term(question.entity.as_ref(), "entity")?)?;
                Ok(sets(&texts(question.expect.as_ref())?, &names.iter().map(ToString::to_string).collect()))
            }
            Ask::Candidates => {
                let found = tenant.candidates(&question.term(question.entity.as_ref(), "entity")?.to_string())?;
                let told = found.iter().map(|likely| format!("{} ({:.2})", likely.entity, likely.evidence.score)).collect();
                Ok(sets(&texts(question.expect.as_ref())?, &told))
            }
            Ask::Proposals => {
                let told = |one: &Proposal| format!("{} = {}{}", one.from, one.into, if one.only { "" } else { "?" });
                Ok(sets(&texts(question.expect.as_ref())?, &tenant.proposals(0.0)?.iter().map(told).collect()))
            }
            Ask::Merges => {
                let standing = tenant.merges()?.into_iter().filter(|merge| merge.undone.is_none());
                Ok(sets(&texts(question.expect.as_ref())?, &standing.map(|merge| format!("{} = {}", merge.from, merge.into)).collect()))
            }
            Ask::Pending => {
                let told = |one: &PendingObservation| format!("{}: {}", words.observation_of(one.id), one.reason);
                Ok(sets(&texts(question.expect.as_ref())?, &tenant.pending()?.iter().map(told).collect()))
            }
            Ask::Question => {
                let view = view()?;
                let query = Asked {
                    text: question.text.as_deref().unwrap_or_default(),
                    asked_at: self.scenario.now,
                    zone: words.zone(),
                    asker: question.asker.as_deref().unwrap_or("user"),
                };
                let told = match tenant.ask(view.as_of(), &query)? {
                    Outcome::Answered(answers) => answers.said(&words.zone()),
                    Outcome::NothingKnown(_) => vec!["nothing known".to_owned()],
                    Outcome::NotUnderstood(_) => vec!["not understood".to_owned()],
                };
                Ok(sets(&texts(question.expect.as_ref())?, &told.into_iter().collect()))
            }
            Ask::Query => self.query(question, tenant, &view()?, words),
        }
    }

    #[cfg(feature = "sparql")]
    fn query(&self, question: &Question, tenant: &Tenant, view: &View, words: &Words<'_>) -> Result<Difference, Fault> {
        let name = question.name.as_deref().ok_or_else(|| Fault::Question("a query needs \"name\"".to_owned()))?;
        let reading = Reading { at: view.as_of(), zone: words.zone() };
        let id_of = |name: &str| self.id_of(tenant, name).map(|id| id.to_string());
        let query = library::bound(name, &question.params, reading, &id_of).map_err(refused)?;
        let rows = library::rows(&query, view.clone(), words).map_err(refused)?;
        library::compare(question.expect.as_ref(), &rows).map_err(Fault::Question)
    }

    #[cfg(not(feature = "sparql"))]
    #[expect(clippy::unused_self, reason = "it has the shape of the one that answers")]
    fn query(&self, question: &Question, _: &Tenant, _: &View, _: &Words<'_>) -> Result<Difference, Fault> {
        let name = question.name.as_deref().unwrap_or("?");
        Err(Fault::Question(format!("query {name}: this program was built without the feature `sparql`")))
    }

    fn diff(&self, question: &Question, tenant: &Tenant, words: &Words<'_>) -> Result<Difference, Fault> {
        let Some((one, other)) = &question.between else {
            return Err(Fault::Question("a diff needs \"between\": [{…}, {…}]".to_owned()));
        };
        let (one, other) = (self.view(tenant, one, words.zone())?, self.view(tenant, other, words.zone())?);
        let diff = one.diff(&other, question.entity.as_ref())?;
        let expected = object(question.expect.as_ref())?;
        let after: Vec<_> = diff.changed.iter().map(|(_, after)| (&after.fact, Some(after.certainty))).collect();
        let mut all = Difference::default();
        for (what, got) in [("appeared", held(&diff.appeared)), ("vanished", held(&diff.vanished)), ("changed", after)] {
            let wanted = expected_facts(expected.get(what), BareText::SaysNothing)?;
            let part = compare(&wanted, &got, words).map_err(Fault::Question)?;
            all.missing.extend(part.missing.into_iter().map(|line| format!("{what}: {line}")));
            all.surplus.extend(part.surplus.into_iter().map(|line| format!("{what}: {line}")));
        }
        Ok(all)
    }
}

#[cfg(feature = "sparql")]
fn refused(refused: library::Refused) -> Fault {
    match refused {
        library::Refused::Query(reason) => Fault::Query(reason),
        library::Refused::Memory(error) => Fault::Memory(error),
    }
}

/// The last instant of a moment: "known by that day" is known by its end.
fn last_instant(moment: Moment) -> Instant {
    if moment.is_exact() { moment.lo() } else { Instant::from_micros(moment.hi().micros().saturating_sub(1)) }
}

fn facts_of(question: &Question, answer: &Answer, bare: BareText, words: &Words<'_>) -> Result<Difference, Fault> {
    let mut difference = match &question.expect {
        Some(expect) => compare(&expected_facts(Some(expect), bare)?, &held(&answer.facts), words).map_err(Fault::Question)?,
        None => Difference::default(),
    };
    if let Some(suppressed) = question.suppressed
        && suppressed != answer.suppressed
    {
        difference.missing.push(format!("{suppressed} suppressed"));
        difference.surplus.push(format!("{} suppressed", answer.suppressed));
    }
    Ok(difference)
}

/// `null` is no fact, a list is its items, anything else is one fact.
fn expected_facts(expect: Option<&Value>, bare: BareText) -> Result<Vec<ExpectedFact>, Fault> {
    let read = |value: &Value| ExpectedFact::read(value, bare).map_err(Fault::Question);
    match expect {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(items)) => items.iter().map(read).collect(),
        Some(one) => Ok(vec![read(one)?]),
    }
}

fn object(expect: Option<&Value>) -> Result<&Map<String, Value>, Fault> {
    expect.and_then(Value::as_object).ok_or_else(|| Fault::Question("this question needs an object in \"expect\"".to_owned()))
}

fn texts(value: Option<&Value>) -> Result<BTreeSet<String>, Fault> {
    let text = |value: &Value| value.as_str().map(str::to_owned).ok_or_else(|| Fault::Question(format!("{value} is no text")));
    match value {
        None | Some(Value::Null) => Ok(BTreeSet::new()),
        Some(Value::Array(items)) => items.iter().map(text).collect(),
        Some(one) => Ok(BTreeSet::from([text(one)?])),
    }
}

fn sets(expected: &BTreeSet<String>, got: &BTreeSet<String>) -> Difference {
    Difference { missing: expected.difference(got).cloned().collect(), surplus: got.difference(expected).cloned().collect() }
}

/// Compares the fields that are expected with those there are.
fn fields(expect: Option<&Value>, got: &[(&str, Value)]) -> Result<Difference, Fault> {
    let mut difference = Difference::default();
    for (name, wanted) in object(expect)? {
        let Some((_, value)) = got.iter().find(|(known, _)| known == name) else {
            return Err(Fault::Question(format!("there is no {name:?} to expect")));
        };
        if value != wanted {
            difference.missing.push(format!("{name} {wanted}"));
            difference.surplus.push(format!("{name} {value}"));
        }
    }
    Ok(difference)
}

/// Compares an explanation: the sentences behind it, what ended it, its sources, rivals and notes.
fn why(question: &Question, tenant: &Tenant, view: &View, words: &Words<'_>) -> Result<Difference, Fault> {
    let wanted = ExpectedFact::of(question.tail.clone(), question.from.clone());
    let mut fitting = Vec::new();
    for fact in view.timeline(question.term(question.head.as_ref(), "head")?, Some(question.relation()?))? {
        if wanted.fits(&fact, None, words).map_err(Fault::Question)? {
            fitting.push(fact);
        }
    }
    let [fact] = fitting.as_slice() else {
        return Err(Fault::Question(format!("{} facts fit, not one; say \"tail\" and \"from\"", fitting.len())));
    };
    let why = tenant.why(view.as_of(), fact.id)?;
    let mut difference = Difference::default();
    for (name, expected) in object(question.expect.as_ref())? {
        let got: BTreeSet<String> = match name.as_str() {
            // Sentences are compared by the words they must contain.
            "words" => why.sources.iter().map(|source| source.words.clone()).collect(),
            "ended" => why.explanation.ended.iter().cloned().collect(),
            "notes" => why.explanation.notes.iter().map(|(note, _)| note.clone()).collect(),
            "ended_by" => {
                why.explanation.ended_by.iter().flat_map(|claim| words.names_of_claim(*claim, Some(&why.explanation.fact))).collect()
            }
            "sources" => why.sources.iter().map(|source| words.observation(source.claim)).collect(),
            "rivals" => why
                .explanation
                .rivals
                .iter()
                .map(|rival| if rival.tail == fact.tail { rival.head.to_string() } else { rival.tail.to_string() })
                .collect(),
            other => return Err(Fault::Question(format!("there is no {other:?} to expect of why"))),
        };
        let expected = texts(Some(expected))?;
        let exact = matches!(name.as_str(), "sources" | "rivals");
        let there = |wanted: &String| {
            if matches!(name.as_str(), "words" | "ended" | "notes") {
                got.iter().any(|text| text.contains(wanted.as_str()))
            } else {
                got.contains(wanted)
            }
        };
        difference.missing.extend(expected.iter().filter(|wanted| !there(wanted)).map(|wanted| format!("{name}: {wanted}")));
        let nothing_wanted = expected.is_empty() && !got.is_empty();
        if nothing_wanted || (exact && got != expected) || expected.iter().any(|wanted| !there(wanted)) {
            difference.surplus.push(format!("{name}: {got:?}"));
        }
    }
    Ok(difference)
}
