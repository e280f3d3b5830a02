//! What a view answers by name, at both times: values, holders, timelines, diffs, explanations, walks; beside a writer, too.
#![cfg(test)]

use erstwhile::graph::{Answer, Hops, Projection, ReadError, Snapshot, View, Walk};
use erstwhile::ledger::{RecordRow, Retractable};
use erstwhile::model::{Authority, ClaimId, FactId, ObservationId, Polarity, Term, TermRef};
use erstwhile::policy::Policies;
use erstwhile::time::{AsOf, Certainty, End, Instant, KnownAt, Moment, Span, Start, Zone, parse_moment, parse_span};
use std::sync::Arc;

/// A projection that is told things in words.
struct Told {
    projection: Projection,
    tx: i64,
    observations: u32,
}

impl Told {
    fn new() -> Self {
        Self { projection: Projection::new(Arc::new(Policies::shipped())), tx: 0, observations: 0 }
    }

    fn id(number: u32) -> ObservationId {
        ObservationId::from_bytes(u128::from(number).to_be_bytes())
    }

    fn observe(&mut self, authority: Authority) -> ObservationId {
        self.tx += 1;
        self.observations += 1;
        let id = Self::id(self.observations);
        let (tx, observed_at) = (Instant::from_micros(self.tx), Instant::from_micros(self.tx));
        self.projection.stage(RecordRow::Observation { seq: u64::from(self.observations), tx, id, observed_at, authority });
        id
    }

    fn claim(&mut self, observation: ObservationId, said: (&str, &str, &str), when: Span, polarity: Polarity, context: Option<&str>) {
        let tail = said.2.strip_prefix('"').map_or(TermRef::Name(said.2), |lexical| TermRef::Literal {
            lexical: lexical.trim_end_matches('"'),
            datatype: None,
            language: None,
        });
        self.projection.stage(RecordRow::Claim {
            seq: u64::from(self.observations),
            tx: Instant::from_micros(self.tx),
            id: ClaimId { observation, ordinal: 0 },
            head: TermRef::Name(said.0),
            relation: said.1,
            tail,
            polarity,
            span: when,
            seen_at: None,
            confidence: 0.9,
            importance: 0.5,
            context,
            corrects_claim: None,
            corrects_tail: None,
        });
        self.projection.publish();
    }

    /// A user says it; `from` and `to` are dates, `to` may be open.
    fn say(&mut self, head: &str, relation: &str, tail: &str, from: &str, to: Option<&str>) -> FactId {
        let observation = self.observe(Authority::User);
        let when = parse_span(Some(from), to, &Zone::UTC).unwrap();
        self.claim(observation, (head, relation, tail), when, Polarity::Holds, None);
        FactId(ClaimId { observation, ordinal: 0 })
    }

    fn retract(&mut self, fact: FactId) {
        self.tx += 1;
        let target = Retractable::Observation(fact.0.observation);
        self.projection.stage(RecordRow::Belief { seq: 0, tx: Instant::from_micros(self.tx), target, believed: false });
        self.projection.publish();
    }

    fn at(&self, valid_at: &str) -> View {
        at(&self.projection.snapshot(), valid_at, KnownAt::Latest)
    }

    fn known(&self, valid_at: &str, tx: i64) -> View {
        at(&self.projection.snapshot(), valid_at, KnownAt::At(Instant::from_micros(tx)))
    }
}

fn at(snapshot: &Snapshot, valid_at: &str, known_at: KnownAt) -> View {
    snapshot.at(AsOf { valid_at: parse_moment(valid_at, &Zone::UTC).unwrap(), known_at })
}

fn name(name: &str) -> Term {
    Term::Name(name.to_owned())
}

fn tails(answer: &Answer) -> Vec<String> {
    answer.facts.iter().map(|held| held.fact.tail.to_string()).collect()
}

#[test]
fn a_later_value_supersedes_and_both_times_are_kept() {
    let mut told = Told::new();
    let acme = told.say("Olga", "employer", "Acme", "2020-01", None);
    let globex = told.say("Olga", "employer", "Globex", "2023-06", None);
    let now = told.at("2024");
    let answer = now.values(&name("olga"), "works at").unwrap();
    assert_eq!((tails(&answer), answer.suppressed), (vec!["Globex".to_owned()], 1), "one is current, one is over");
    assert_eq!(tails(&told.at("2022").values(&name("Olga"), "employer").unwrap()), ["Acme"]);
    assert_eq!(tails(&told.known("2024", 1).values(&name("Olga"), "employer").unwrap()), ["Acme"], "as known then");
    let timeline = now.timeline(&name("Olga"), Some("employer")).unwrap();
    assert_eq!(timeline.iter().map(|fact| fact.id).collect::<Vec<_>>(), [acme, globex]);
    assert_eq!(timeline[0].status.closed_by, Some(globex.0));
    assert_eq!((timeline[0].tx_from, timeline[0].tx_to), (Instant::from_micros(2), None), "believed so since the second");
    let then = told.known("2024", 1).timeline(&name("Olga"), None).unwrap();
    assert_eq!((then[0].tx_from, then[0].tx_to), (Instant::from_micros(1), Some(Instant::from_micros(2))), "superseded belief");
    let why = now.explain(acme).unwrap();
    assert!(why.ended.as_deref().is_some_and(|ended| ended.starts_with("until 2023-06: Globex (since 2023-06) closed Acme")), "{why:?}");
    assert_eq!(why.ended_by, Some(globex.0));
    assert_eq!(now.explain(globex).unwrap().ended, None);
}

#[test]
fn erasing_or_retracting_what_closed_a_fact_opens_it_again() {
    let mut told = Told::new();
    told.say("Olga", "employer", "Acme", "2020-01", None);
    let globex = told.say("Olga", "employer", "Globex", "2023-06", None);
    let mut erased = Told { projection: told.projection, ..told };
    erased.retract(globex);
    assert_eq!(tails(&erased.at("2024").values(&name("Olga"), "employer").unwrap()), ["Acme"]);
    assert_eq!(tails(&erased.known("2024", 2).values(&name("Olga"), "employer").unwrap()), ["Globex"], "history keeps it");
    let applied = erased.projection.forget(&[globex.0.observation]);
    assert_eq!(applied.opened, 0, "the fact was open again before: {applied:?}");
    assert_eq!(tails(&erased.known("2024", 2).values(&name("Olga"), "employer").unwrap()), ["Acme"], "nothing keeps it");
    assert_eq!(erased.at("2024").term_id(TermRef::Name("Globex")), None, "the name is gone, too");
    assert_eq!(erased.at("2024").explain(globex), Err(ReadError::UnknownFact(globex)));
}

#[test]
fn inverses_and_symmetric_relations_are_asked_from_either_end() {
    let mut told = Told::new();
    told.say("Ann", "manages", "Bob", "2020", None);
    told.say("Zoe", "married_to", "Yan", "2020", None);
    let now = told.at("2024");
    let managed = now.values(&name("Ann"), "manages").unwrap();
    assert_eq!((managed.facts[0].fact.relation.as_str(), managed.facts[0].fact.head.to_string()), ("reports_to", "Bob".to_owned()));
    assert_eq!(tails(&now.values(&name("Bob"), "reports_to").unwrap()), ["Ann"]);
    assert_eq!(now.holders("manages", &name("Bob")).unwrap().facts[0].fact.tail, name("Ann"));
    assert_eq!(tails(&now.values(&name("Zoe"), "married_to").unwrap()), ["Yan"]);
    assert_eq!(tails(&now.values(&name("Yan"), "married_to").unwrap()), ["Zoe"]);
    assert_eq!(now.timeline(&name("Yan"), None).unwrap().len(), 1);
    assert_eq!(now.about(&name("Bob")).unwrap().answer.facts.len(), 1);
}

#[test]
fn histories_read_from_the_entity_and_count_what_comes_in() {
    let mut told = Told::new();
    let parent = told.say("Carl", "parent_of", "Dora", "2018-06", None);
    let wed = told.say("Zoe", "married_to", "Carl", "2016", None);
    let job = told.say("Carl", "employer", "Brightloom", "2020", Some("2023"));
    let now = told.at("2024");
    let history = |facts: Vec<erstwhile::model::Fact>| {
        facts.iter().map(|fact| (fact.id, format!("{} {} {}", fact.head, fact.relation, fact.tail))).collect::<Vec<_>>()
    };
    let expected = [(job, "Carl employer Brightloom"), (wed, "Carl married_to Zoe"), (parent, "Carl parent_of Dora")]
        .map(|(id, text)| (id, text.to_owned()));
    assert_eq!(history(now.timeline(&name("carl"), None).unwrap()), expected, "all of which he is the head, as he says them");
    assert_eq!((now.count_incoming(&name("Carl"), None), now.incoming(&name("Carl"), None)), (Ok(0), Ok(Vec::new())), "and nothing else");
    let child = (parent, "Dora child_of Carl".to_owned());
    assert_eq!(history(now.timeline(&name("Dora"), None).unwrap()), std::slice::from_ref(&child), "told from her");
    assert_eq!(history(now.timeline(&name("Carl"), Some("parent_of")).unwrap()), [child], "of one relation, as it is stored");
    let brightloom = name("Brightloom");
    let about = now.about(&brightloom).unwrap().answer;
    assert_eq!((about.facts.len(), about.suppressed), (0, 1), "over");
    assert_eq!(history(now.timeline(&brightloom, None).unwrap()), [], "it is the head of nothing");
    for relation in [None, Some("employer")] {
        assert_eq!(now.count_incoming(&brightloom, relation), Ok(1), "what about counted");
        assert_eq!(history(now.incoming(&brightloom, relation).unwrap()), [(job, "Carl employer Brightloom".to_owned())]);
    }
    assert_eq!(now.incoming(&name("Zoe"), Some("married_to")), Ok(Vec::new()), "a symmetric one reads from either end");
    assert_eq!(history(now.incoming(&name("Dora"), Some("parent_of")).unwrap()), [(parent, "Dora child_of Carl".to_owned())]);
    assert_eq!(now.incoming(&name("Nobody"), None), Err(ReadError::UnknownEntity(name("Nobody"))));
}

#[test]
fn denials_are_listed_and_counted_where_a_strict_relation_hides_them() {
    let mut told = Told::new();
    let never = |told: &mut Told, authority, said, from| {
        let observation = told.observe(authority);
        told.claim(observation, said, parse_span(Some(from), None, &Zone::UTC).unwrap(), Polarity::Never, None);
        ClaimId { observation, ordinal: 0 }
    };
    told.say("Noor", "allergic_to", "peanut", "2012", None);
    told.say("Noor", "knows", "Bo", "2012", None);
    let page = never(&mut told, Authority::Tool, ("Noor", "allergic_to", "peanut"), "2024");
    let other = never(&mut told, Authority::Tool, ("Noor", "knows", "Bo"), "2024");
    let now = told.at("2025");
    let noor = name("Noor");
    for answer in [now.values(&noor, "allergic_to").unwrap(), now.holders("allergic_to", &name("peanut")).unwrap()] {
        assert_eq!((answer.facts.len(), answer.suppressed), (1, 1), "the denial is hidden, and counted");
    }
    assert_eq!(now.about(&noor).unwrap().answer.suppressed, 1, "not the one of a relation that is not strict: it challenges");
    assert_eq!(told.known("2025", 2).about(&noor).unwrap().answer.suppressed, 0, "before it was told");
    let listed = |view: &View, entity: &str, relation: Option<&str>| {
        let denials = view.denials(&name(entity), relation).unwrap();
        denials.iter().map(|denial| (denial.claim, denial.incoming)).collect::<Vec<_>>()
    };
    assert_eq!(listed(&now, "Noor", None), [(page, false), (other, false)], "by relation");
    assert_eq!(listed(&now, "noor", Some("allergic to")), [(page, false)]);
    assert_eq!(listed(&now, "peanut", None), [(page, true)], "it is only the tail");
    assert_eq!(listed(&told.known("2025", 2), "Noor", None), [], "before it was told");
    let gone = never(&mut told, Authority::Tool, ("Noor", "parent_of", "Ida"), "2024");
    let shown = &told.at("2025").denials(&noor, Some("parent_of")).unwrap()[0];
    assert_eq!((shown.claim, shown.incoming), (gone, false), "asked by an inverse, she is the head");
    assert_eq!(listed(&told.at("2025"), "Ida", Some("parent_of")), [(gone, true)]);
    let from_her = told.at("2025").denials(&noor, None).unwrap();
    assert!(from_her.iter().any(|denial| (&denial.head, denial.relation.as_str()) == (&noor, "parent_of")), "{from_her:?}");
    told.retract(FactId(page));
    let now = told.at("2025");
    assert_eq!((now.values(&noor, "allergic_to").unwrap().suppressed, listed(&now, "peanut", None)), (0, Vec::new()), "taken back");
    // An equal or higher source is not overruled: the fact is hidden instead, and that is what is counted.
    never(&mut told, Authority::User, ("Noor", "allergic_to", "peanut"), "2024");
    let answer = told.at("2025").values(&noor, "allergic_to").unwrap();
    assert_eq!((answer.facts.len(), answer.suppressed), (0, 1), "denied by herself");
}

#[test]
fn only_what_something_else_ended_can_be_undone() {
    let mut told = Told::new();
    let rome = told.say("Zed", "visited", "Rome", "2024-01-10", None);
    let bounded = told.say("Zed", "employer", "Initech", "2012", Some("2014"));
    let acme = told.say("Zed", "employer", "Acme", "2015", None);
    let globex = told.say("Zed", "employer", "Globex", "2019", None);
    let observation = told.observe(Authority::User);
    let by = parse_span(Some("unknown"), Some("2023"), &Zone::UTC).unwrap();
    told.claim(observation, ("Zed", "employer", "Globex"), by, Polarity::Ends, None);
    let left = ClaimId { observation, ordinal: 0 };
    let now = told.at("2025");
    for (fact, ended_by, undo) in [
        (rome, Some(rome.0), None),
        (bounded, Some(bounded.0), None),
        (acme, Some(globex.0), Some(globex.0)),
        (globex, Some(left), Some(left)),
    ] {
        let why = now.explain(fact).unwrap();
        assert_eq!((why.ended.is_some(), why.ended_by, why.undo), (true, ended_by, undo), "{why:?}");
    }
}

#[test]
fn contested_facts_name_their_rivals() {
    let mut told = Told::new();
    let oslo = told.say("Olga", "lives_in", "Oslo", "2020-01-01", None);
    let rome = told.say("Olga", "lives_in", "Rome", "2020-01-01", None);
    let answer = told.at("2024").values(&name("Olga"), "lives_in").unwrap();
    assert_eq!(answer.facts.len(), 2);
    for held in &answer.facts {
        let rival = if held.fact.id == oslo { rome } else { oslo };
        assert!(held.fact.status.contested);
        assert_eq!(held.fact.status.rivals, [rival]);
    }
    let why = told.at("2024").explain(oslo).unwrap();
    assert_eq!(why.rivals.iter().map(|fact| fact.id).collect::<Vec<_>>(), [rome]);
    assert!(why.notes.iter().any(|(words, _)| words.contains("cannot both hold")), "{why:?}");
}

#[test]
fn what_happened_at_an_instant_is_found_by_every_reading_that_contains_it() {
    let mut told = Told::new();
    told.say("Olga", "attended", "Gala", "2024-01-10T23:30:00-05:00", None);
    told.say("Olga", "lives_in", "Oslo", "2015-01-01T00:00:00Z", None);
    let instant = Moment::exact(Instant::parse("2024-01-11T04:30:00Z").unwrap());
    let new_york = Zone::parse("America/New_York").unwrap();
    let snapshot = told.projection.snapshot();
    let read = |valid_at| snapshot.at(AsOf { valid_at, known_at: KnownAt::Latest });
    let day = |text: &str, zone: &Zone| parse_moment(text, zone).unwrap();
    let shifted = |micros: i64| Moment::exact(Instant::from_micros(instant.lo().micros() + micros));
    for (valid_at, expected) in [
        (instant, Some(Certainty::Certain)),
        (day("2024-01-10", &new_york), Some(Certainty::Possible)),
        (day("2024", &Zone::UTC), Some(Certainty::Possible)),
        (day("2024-01-10", &Zone::UTC), None),
        (day("2024-01-11", &new_york), None),
        (shifted(-1), None),
        (shifted(1), None),
        (Moment::granule(shifted(-1).lo(), instant.lo()).unwrap(), None),
    ] {
        let view = read(valid_at);
        let (olga, gala) = (name("Olga"), name("Gala"));
        let ids = [TermRef::Name("olga"), TermRef::Name("gala")].map(|term| view.term_id(term).unwrap());
        let attended = view.relation_id("attended").unwrap().0;
        let certainty = |answer: &Answer| answer.facts.iter().find(|held| held.fact.tail == gala).map(|held| held.certainty);
        assert_eq!(certainty(&view.values(&olga, "attended").unwrap()), expected, "value at {valid_at}");
        assert_eq!(certainty(&view.about(&olga).unwrap().answer), expected, "about at {valid_at}");
        assert_eq!(certainty(&view.holders("attended", &gala).unwrap()), expected, "holders at {valid_at}");
        assert_eq!(view.point(ids[0], attended).map(|edge| edge.certainty), expected, "point at {valid_at}");
        assert_eq!(view.edges(ids[1]).next().map(|edge| edge.certainty), expected, "edges at {valid_at}");
        let near = view.neighbourhood(&[olga], Hops { hops: 1, hub_limit: 9, limit: 9 }).unwrap();
        assert_eq!(near.reached.iter().any(|near| near.entity == gala), expected.is_some(), "neighbours at {valid_at}");
        let mut walk = Walk::new();
        view.reach(&ids[..1], 1, 9, &mut walk);
        assert_eq!(walk.reached().contains(&ids[1]), expected.is_some(), "a walk at {valid_at}");
        let mut visited = petgraph::visit::Dfs::new(&view, ids[0]);
        let found = std::iter::from_fn(|| visited.next(&view)).any(|term| term == ids[1]);
        assert_eq!(found, expected.is_some(), "petgraph at {valid_at}");
        let diff = read(shifted(-1)).diff(&view, Some(&gala)).unwrap();
        assert_eq!(diff.appeared.len(), usize::from(expected.is_some()), "a diff to {valid_at}");
    }
}

#[test]
fn an_instant_among_very_many_facts_is_not_skipped() {
    let mut told = Told::new();
    let start = 1_000_000_000_000_000;
    let exact = |micros: i64| Moment::exact(Instant::from_micros(micros));
    for number in 0..600_i64 {
        let observation = told.observe(Authority::User);
        let when = Span::new(Start::At(exact(start + number)), End::At(exact(start + number))).unwrap();
        told.claim(observation, ("Olga", "attended", &format!("Talk {number}")), when, Polarity::Holds, None);
    }
    let snapshot = told.projection.snapshot();
    for number in 0..600_i64 {
        let view = snapshot.at(AsOf { valid_at: exact(start + number), known_at: KnownAt::Latest });
        let answer = view.values(&name("Olga"), "attended").unwrap();
        assert_eq!((tails(&answer), answer.suppressed), (vec![format!("Talk {number}")], 599), "which talk");
        assert_eq!(answer.facts[0].certainty, Certainty::Certain, "at its very instant");
        assert_eq!(view.edges(view.term_id(TermRef::Name("Olga")).unwrap()).count(), 1, "by edges");
    }
    let before = snapshot.at(AsOf { valid_at: exact(start + 5), known_at: KnownAt::At(Instant::from_micros(5)) });
    assert_eq!(before.values(&name("Olga"), "attended").unwrap(), Answer { suppressed: 5, ..Answer::default() }, "not yet known");
}

#[test]
fn a_denied_instant_stays_hidden() {
    let mut told = Told::new();
    told.say("Olga", "attended", "Gala", "2024-01-10T20:00:00Z", None);
    assert_eq!(tails(&told.at("2024-01-10T20:00:00Z").values(&name("Olga"), "attended").unwrap()), ["Gala"], "she says so");
    let observation = told.observe(Authority::User);
    let when = parse_span(Some("2024-01-10"), Some("2024-01-10"), &Zone::UTC).unwrap();
    told.claim(observation, ("Olga", "attended", "Gala"), when, Polarity::Never, None);
    for valid_at in ["2024-01-10T20:00:00Z", "2024-01-10", "2024"] {
        let answer = told.at(valid_at).values(&name("Olga"), "attended").unwrap();
        assert_eq!((answer.facts.len(), answer.suppressed), (0, 1), "denied for that day, read at {valid_at}");
    }
    assert_eq!(told.at("2024").timeline(&name("Olga"), Some("attended")).unwrap()[0].status.hidden.len(), 1, "and kept");
}

#[test]
fn an_instant_that_one_of_two_slots_has_ended_before_is_no_fact_then() {
    let mut told = Told::new();
    told.say("Ann", "married_to", "Bob", "2001-01-01T00:00:00Z", None);
    told.say("Ann", "married_to", "Cid", "2005-01-01T00:00:00Z", None);
    let again = told.say("Ann", "married_to", "Bob", "2009-01-01T00:00:00Z", Some("2009-01-01T00:00:00Z"));
    let fact = told.at("2009").fact(again).unwrap();
    let ninth = Moment::exact(Instant::parse("2009-01-01T00:00:00Z").unwrap());
    assert_eq!((fact.start, fact.end), (Start::At(ninth), End::At(ninth)), "in Ann's slot an instant");
    let answer = told.at("2009-01-01T00:00:00Z").values(&name("Ann"), "married_to").unwrap();
    assert_eq!((tails(&answer), answer.suppressed), (Vec::new(), 3), "in Bob's slot it was over by then, and it ended Cid's");
}

#[test]
fn the_most_frequent_spelling_is_displayed_and_unknown_things_are_errors() {
    let mut told = Told::new();
    told.say("OLGA", "knows", "Bob", "2020", None);
    assert_eq!(told.at("2024").about(&name("olga")).unwrap().entity, name("OLGA"));
    told.say("Olga", "knows", "Cy", "2020", None);
    let di = told.say("Olga", "knows", "Di", "2020", None);
    let view = told.at("2024");
    assert_eq!(view.about(&name("olga")).unwrap().entity, name("Olga"));
    told.projection.forget(&[di.0.observation]);
    assert_eq!(told.at("2024").about(&name("olga")).unwrap().entity, name("OLGA"), "one each: the lesser");
    assert_eq!(view.about(&name("olga")).unwrap().entity, name("Olga"), "a view does not move");
    assert_eq!(view.about(&name("Nobody")), Err(ReadError::UnknownEntity(name("Nobody"))));
    assert_eq!(view.values(&name("Olga"), "frobnicates"), Err(ReadError::UnknownRelation("frobnicates".to_owned())));
    assert_eq!(view.values(&name("Olga"), "employer"), Ok(Answer::default()), "declared, and never claimed");
}

#[test]
fn contexts_are_worlds_apart() {
    let mut told = Told::new();
    told.say("Olga", "lives_in", "Oslo", "2020", None);
    let observation = told.observe(Authority::User);
    let when = parse_span(Some("2021"), None, &Zone::UTC).unwrap();
    told.claim(observation, ("Olga", "lives_in", "Mars"), when, Polarity::Holds, Some("http://example.org/dream"));
    let view = told.at("2024");
    assert_eq!(tails(&view.values(&name("Olga"), "lives_in").unwrap()), ["Oslo"], "nothing of the dream ends it");
    let dream = view.clone().in_context(Some("http://example.org/dream"));
    assert_eq!(tails(&dream.values(&name("Olga"), "lives_in").unwrap()), ["Mars"]);
    assert!(view.in_context(Some("http://example.org/other")).about(&name("Olga")).unwrap().answer.facts.is_empty());
    assert_eq!(told.projection.snapshot().contexts(), ["http://example.org/dream"]);
}

#[test]
fn a_diff_tells_what_appeared_vanished_and_changed() {
    let mut told = Told::new();
    told.say("Olga", "employer", "Acme", "2020", None);
    told.say("Olga", "employer", "Globex", "2023", None);
    told.say("Olga", "knows", "Bob", "2021", None);
    let (before, after) = (told.at("2022-06"), told.at("2024"));
    let diff = before.diff(&after, Some(&name("Olga"))).unwrap();
    let tails = |held: &[erstwhile::graph::Held]| held.iter().map(|held| held.fact.tail.to_string()).collect::<Vec<_>>();
    assert_eq!((tails(&diff.appeared), tails(&diff.vanished)), (vec!["Globex".to_owned()], vec!["Acme".to_owned()]));
    assert_eq!(before.diff(&after, None).unwrap(), diff, "of all, the same");
    let known = told.known("2022-06", 1);
    let changed = known.diff(&before, Some(&name("Olga"))).unwrap();
    assert_eq!(changed.changed.len(), 1, "Acme was open, and is known to end: {changed:?}");
    assert_eq!(known.diff(&before, Some(&name("Nobody"))), Err(ReadError::UnknownEntity(name("Nobody"))));
}

#[test]
fn walks_stop_at_hubs_and_limits_in_a_defined_order() {
    let mut told = Told::new();
    for (head, tail, from) in [("a", "hub", "2010"), ("a", "b", "2011"), ("b", "c", "2012"), ("hub", "x1", "2013"), ("hub", "x2", "2014")] {
        told.say(head, "knows", tail, from, None);
    }
    told.say("c", "height", "\"42\"", "2015", None);
    told.say("d", "height", "\"42\"", "2015", None);
    let view = told.at("2024");
    let how = Hops { hops: 4, hub_limit: 2, limit: 100 };
    let found = view.neighbourhood(&[name("A")], how).unwrap();
    let order: Vec<(String, u32)> = found.reached.iter().map(|near| (near.entity.to_string(), near.hops)).collect();
    let expected = [("a", 0), ("b", 1), ("hub", 1), ("c", 2), ("\"42\"", 3)];
    assert_eq!(order, expected.map(|(name, hops)| (name.to_owned(), hops)), "newest first, not through the hub nor a literal");
    assert_eq!((found.stopped_at, found.cut), (vec![name("hub")], false));
    let cut = view.neighbourhood(&[name("a")], Hops { limit: 1, ..how }).unwrap();
    assert_eq!((cut.reached.len(), cut.reached[1].entity.clone(), cut.cut), (2, name("b"), true));
    let mut walk = Walk::new();
    let ids = |names: &[&str]| names.iter().map(|name| view.term_id(TermRef::Name(name)).unwrap()).collect::<Vec<_>>();
    view.reach(&ids(&["a"]), 4, 2, &mut walk);
    assert_eq!(walk.at(0), ids(&["a"]));
    let mut first = walk.at(1).to_vec();
    first.sort_unstable();
    let mut expected = ids(&["b", "hub"]);
    expected.sort_unstable();
    assert_eq!((first, walk.at(2).to_vec(), walk.reached().len()), (expected, ids(&["c"]), 5));
    view.reach(&ids(&["hub"]), 1, 2, &mut walk);
    assert_eq!(walk.at(1).len(), 3, "a seed is walked from, hub or not");
    assert_eq!(view.neighbourhood(&[name("Nobody")], how), Err(ReadError::UnknownEntity(name("Nobody"))));
}

#[test]
fn a_view_held_while_a_writer_writes_does_not_move() {
    let mut told = Told::new();
    for year in 2000..2010 {
        told.say("Olga", "lives_in", &format!("Town {year}"), &year.to_string(), None);
    }
    let view = told.at("2024");
    let expected = (view.about(&name("Olga")).unwrap(), view.timeline(&name("Olga"), None).unwrap());
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut reads = 0;
            // The reader holds its view until the writer is done: the writer cannot have waited for it.
            while !done.load(std::sync::atomic::Ordering::Acquire) {
                assert_eq!(view.about(&name("Olga")).unwrap(), expected.0, "the view moved");
                assert_eq!(view.timeline(&name("Olga"), None).unwrap(), expected.1, "the view moved");
                reads += 1;
            }
            reads
        });
        for number in 0..400 {
            told.say("Olga", "lives_in", &format!("Place {number}"), &format!("{}", 2010 + number % 14), None);
            told.say(&format!("Friend {number}"), "knows", "Olga", "2020", None);
            assert_eq!(told.at("2024").values(&name(&format!("Friend {number}")), "knows").unwrap().facts.len(), 1, "reads its own write");
        }
        done.store(true, std::sync::atomic::Ordering::Release);
        assert!(reader.join().unwrap() > 0, "the reader read");
    });
}

#[test]
fn long_slots_and_heads_with_many_facts_answer_like_short_ones() {
    let mut told = Told::new();
    let start = 1_000_000_000_000_000;
    let exact = |micros: i64| Moment::exact(Instant::from_micros(micros));
    for number in 0..3000_i64 {
        for relation in ["lives_in", "knows"] {
            let observation = told.observe(Authority::User);
            let from = Start::At(exact(start + number * 10));
            let when = Span::new(from, End::Open).unwrap();
            let tail = format!("T{number}");
            told.claim(observation, ("Olga", relation, &tail), when, Polarity::Holds, None);
        }
    }
    let snapshot = told.projection.snapshot();
    let read = |micros: i64, known_at: KnownAt| snapshot.at(AsOf { valid_at: exact(micros), known_at });
    let view = read(start, KnownAt::Latest);
    let (olga, lives_in) = (view.term_id(TermRef::Name("Olga")).unwrap(), view.relation_id("lives_in").unwrap().0);
    for number in [0, 1, 127, 128, 129, 1500, 2998, 2999] {
        let at = read(start + number * 10 + 5, KnownAt::Latest);
        let found = at.point(olga, lives_in).unwrap();
        assert_eq!(at.term(found.other), Some(name(&format!("T{number}"))));
        assert_eq!(found.certainty, Certainty::Certain);
        let answer = at.values(&name("Olga"), "lives_in").unwrap();
        assert_eq!((tails(&answer), answer.suppressed), (vec![format!("T{number}")], 2999));
        assert_eq!(answer.facts[0].fact.supported_by.len(), 1);
        let knows = at.edges(olga).filter(|edge| edge.relation != lives_in).count();
        assert_eq!(knows, usize::try_from(number).unwrap() + 1, "all that began by then");
        // Known when this was the last one told, it was open.
        let then = read(start + 1_000_000, KnownAt::At(Instant::from_micros(2 * (number + 1))));
        let found = then.point(olga, lives_in).unwrap();
        assert_eq!(then.term(found.other), Some(name(&format!("T{number}"))));
        assert_eq!(then.edges_of(olga, lives_in, true).count(), 1);
    }
}
