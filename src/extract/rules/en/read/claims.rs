//! Making drafts of what was found: the verdict of the tense, what is too little to claim, the times that are meant, and what the
//! claims of one text say of each other. Knows no pattern.

use super::super::chunk::Tense;
use super::super::judge::{Case, Verdict, verdict};
use super::super::pack::Effect;
use super::super::scene::Scene;
use super::{PLAIN, Reader, Saying};
use crate::extract::rules::draft::{Draft, Phase};
use crate::extract::{RejectionKind, Which};
use crate::model::Polarity;
use crate::time::End;
use crate::time::expr::{Role, Sort as TimeSort, TimeMention, Value};

impl Reader<'_, '_> {
    /// Claims what a pattern or a noun found, if the clause's tense makes a claim of it.
    #[expect(clippy::too_many_arguments, reason = "a claim has that many parts")]
    pub(in super::super) fn claim(
        &mut self,
        scene: &Scene<'_, '_>,
        relation: &str,
        number: usize,
        effect: Effect,
        head: &str,
        tail: &str,
        saying: &Saying<'_>,
    ) {
        const ABLE: [&str; 19] = [
            "preferred_name",
            "nickname",
            "home_address",
            "prefers_language",
            "prefers_answer_style",
            "speaks",
            "plays_instrument",
            "programs_in",
            "supports",
            "phone",
            "email",
            "handle",
            "likes",
            "dislikes",
            "allergic_to",
            "located_in",
            "price",
            "opening_hours",
            "prefers_units",
        ];
        // "a Danish cellist" is a cellist, and Danish.
        if relation == "job_title"
            && let Some((people, job)) = self.grammar.led_by_class(tail, "nationality")
        {
            self.claim(scene, "nationality", 0, effect, head, people, saying);
            self.claim(scene, relation, number, effect, head, job, saying);
            return;
        }
        // "We can aim for it": what somebody is able to do, they need not do.
        if saying.group.is_some_and(|group| group.can) && !ABLE.contains(&relation) {
            return;
        }
        let event = self.grammar.relation_named(relation).and_then(|at| self.grammar.relation(at)).is_some_and(|one| one.event);
        let said = match &saying.group {
            None => Some(Verdict { phase: if saying.former { Phase::UsedTo } else { Phase::Now }, polarity: Polarity::Holds }),
            Some(group) => {
                let mut times = if saying.timeless { Vec::new() } else { self.times(&saying.times) };
                // "She's getting married in August": the one to come.
                let coming = group.tense == Tense::Present && group.progressive && (effect == Effect::Begins || group.got);
                if relation == "has_appointment" && group.tense == Tense::Present || coming {
                    for time in &mut times {
                        self.prefer_coming(time);
                    }
                }
                let case = Case {
                    group,
                    hints: saying.hints,
                    effect,
                    event,
                    denied: saying.denied,
                    times: &times,
                    now: self.setting.calendar.reference,
                    written: self.setting.is_written(),
                    lasting: matches!(relation, "reports_to" | "assigned_to" | "manages" | "scheduled_for" | "deadline"),
                };
                verdict(&case).map(|said| {
                    if saying.former && said.polarity == Polarity::Holds { Verdict { phase: Phase::UsedTo, ..said } } else { said }
                })
            }
        };
        if let Some(said) = said {
            self.push(scene, relation, number, said, head, tail, saying);
        }
    }

    pub(super) fn times(&self, numbers: &[usize]) -> Vec<TimeMention> {
        numbers.iter().filter_map(|number| self.setting.times.get(*number).cloned()).collect()
    }

    #[expect(clippy::too_many_arguments, reason = "a draft has that many parts")]
    pub(in super::super) fn push(
        &mut self,
        scene: &Scene<'_, '_>,
        relation: &str,
        number: usize,
        said: Verdict,
        head: &str,
        tail: &str,
        saying: &Saying<'_>,
    ) {
        let mut times = if saying.timeless { Vec::new() } else { self.times(&saying.times) };
        let gone = matches!(said.phase, Phase::Past | Phase::Happened | Phase::Over);
        times.retain(|time| !(gone && scene.text.get(time.bytes.clone()).is_some_and(|text| text.eq_ignore_ascii_case("now"))));
        // "plays at 6 am" tells when in the day, not since when.
        let event = self.grammar.relation_named(relation).and_then(|at| self.grammar.relation(at)).is_some_and(|one| one.event);
        times.retain(|time| event || said.phase != Phase::Now || time.sort != TimeSort::Time);
        // An age is of now; "I loved it" tells of once, not of a liking that is over.
        let passing = match relation {
            "age" => {
                let just = (saying.from..saying.to).any(|at| matches!(scene.line.lower(at), "just" | "now" | "recently"));
                matches!(said.phase, Phase::Past | Phase::UsedTo | Phase::SoFar) || said.phase == Phase::Began && times.is_empty() && !just
            }
            // "I went bowling yesterday", "I've done a painting": once.
            "hobby" => {
                let once = said.phase == Phase::Past && times.iter().any(|time| time.role == Role::At);
                let one = (saying.from..saying.to).any(|at| {
                    matches!(scene.line.lower(at), "a" | "an" | "another")
                        && scene.np_at(at + 1).is_some_and(|(_, np)| np.det == Some(at) && scene.slice(np.core, np.to) == tail)
                });
                once || one
            }
            // "I took the pups out for air".
            "takes_medication" => {
                let once = said.phase == Phase::Past && times.iter().any(|time| time.role == Role::At);
                let lower = tail.to_lowercase();
                once || ["animal", "kin", "person_noun", "ownable", "vehicle", "vague"]
                    .iter()
                    .any(|class| self.grammar.has_class(&lower, class))
            }
            // "I quit social media": no firm, for want of an article and of a name.
            "employer" if said.polarity == Polarity::Ends && !tail.chars().any(char::is_uppercase) => {
                scene_nps(scene, saying).any(|np| np.det.is_none() && np.owner.is_none() && scene.slice(np.core, np.to) == tail)
            }
            // "The kids start at Ely": at school.
            "employer" if saying.group.is_some_and(|group| matches!(group.lemma, "start" | "begin")) => {
                let noun = head.rsplit(' ').next().unwrap_or_default();
                matches!(
                    noun,
                    "kid" | "kids" | "child" | "children" | "son" | "sons" | "daughter" | "daughters" | "twins" | "boys" | "girls"
                )
            }
            // "I bought my mum a scarf": for her.
            "bought" => ["kin", "person_noun"].iter().any(|class| self.grammar.has_class(&tail.to_lowercase(), class)),
            "official_name" => Some(head) == self.setting.author(),
            // "We rented a flat": when and until when is not said.
            "rents" => said.phase == Phase::Past && times.is_empty(),
            "has_appointment" => said.polarity != Polarity::Holds,
            // "I went to school with her": which one is not said.
            "studies_at" => matches!(tail.to_lowercase().as_str(), "school" | "college" | "university" | "uni" | "class" | "classes"),
            // "I invented procrastination"
            "founded_by" => !self.setting.is_written() && head.chars().all(|c| !c.is_uppercase()),
            // "I studied the menu": looked at.
            "studies" => {
                let looked = scene_nps(scene, saying).any(|np| {
                    np.det.is_some_and(|det| scene.line.lower(det) == "the") && np.name.is_none() && scene.slice(np.core, np.to) == tail
                });
                looked
                    && !["language", "programming", "subject", "instrument"]
                        .iter()
                        .any(|class| self.grammar.has_class(&tail.to_lowercase(), class))
            }
            "allergic_to" => self.grammar.has_class(&tail.to_lowercase(), "bore"),
            // "open from 9 to 5": hours, not a state.
            "status" if tail == "open" || tail == "closed" => {
                times.iter().any(|time| matches!(time.role, Role::During | Role::Every | Role::Until))
            }
            "blood_type" => {
                let group = tail.split([' ', '+', '-', '−']).next().unwrap_or_default().to_lowercase();
                !matches!(group.as_str(), "a" | "b" | "ab" | "o" | "0" | "type" | "rh" | "rhesus")
            }
            "id_number" => !tail.chars().any(|c| c.is_ascii_digit()),
            // "He taught us the importance of patience": no lessons.
            "mentored_by" => (saying.from..saying.to + 6).any(|at| {
                matches!(scene.line.lower(at), "importance" | "value" | "meaning" | "lesson" | "power" | "beauty" | "patience" | "love")
            }),
            "treated_by" if said.phase == Phase::Ahead => true,
            "speaks" | "plays_instrument" | "programs_in" if said.polarity == Polarity::Never => (saying.from..saying.to + 3)
                .any(|at| matches!(scene.line.lower(at), "well" | "much" | "fluently" | "enough" | "often" | "perfectly")),
            // "I had to go to the hospital": once, and no telling by whom.
            "treated_by" if said.phase == Phase::Past && tail.chars().all(|c| !c.is_uppercase()) => true,
            "treated_by" => tail.chars().all(|c| !c.is_uppercase()) && tail.split(' ').count() == 1 && said.polarity == Polarity::Never,
            "committed_to" => !tail.contains(' ') || tail.ends_with("someone") || tail.ends_with("somebody"),
            "likes" | "dislikes" | "prefers" | "interested_in" => {
                // "I got into Ely for my master's": was let in.
                let admitted = saying.group.is_some_and(|group| group.lemma == "get") && scene.line.lower(saying.to) == "for";
                admitted || said.phase == Phase::Past && times.is_empty()
            }
            // One is absorbed in a film or in a game without reading it.
            // "I read it every year": a habit.
            "reading" => {
                let habit = times.iter().any(|time| matches!(time.value, Value::Set(_)));
                habit || self.grammar.has_class(&tail.to_lowercase(), "title_noun")
            }
            "habit" => {
                !tail.contains(' ') && said.polarity != Polarity::Ends
                    || tail
                        .split(' ')
                        .any(|word| matches!(word, "it" | "them" | "this" | "that" | "these" | "those" | "one" | "so" | "there" | "here"))
            }
            // "I use every chance I get"
            "uses" | "owns"
                if scene_nps(scene, saying).any(|np| {
                    np.det.is_some_and(|det| matches!(scene.line.lower(det), "every" | "each" | "any" | "all"))
                        && np.name.is_none()
                        && scene.slice(np.core, np.to) == tail
                }) =>
            {
                true
            }
            // "I moved to N26": a bank, or a part of town.
            "lives_in" | "born_in" => {
                tail.chars().any(|c| c.is_ascii_digit()) && !tail.contains(' ') && tail.starts_with(char::is_uppercase)
            }
            "uses" if self.grammar.has_class(&tail.to_lowercase(), "language") => true,
            "uses" => self.grammar.has_class(&tail.to_lowercase(), "event") || self.grammar.has_class(&tail.to_lowercase(), "vague"),
            // "I was about to buy one": what came of it is not said.
            "plans_to" | "goal" => {
                matches!(said.phase, Phase::Past | Phase::UsedTo)
                    || matches!(
                        tail,
                        "try"
                            | "do"
                            | "be"
                            | "go"
                            | "see"
                            | "it"
                            | "this"
                            | "that"
                            | "do it"
                            | "try it"
                            | "try that"
                            | "do that"
                            | "do so"
                            | "find out"
                            | "find someone"
                            | "help"
                    )
            }
            _ => false,
        };
        // "The user lives in Ely" in written matter is of whoever reads it.
        let reader = self.setting.is_written()
            && matches!(head.to_lowercase().as_str(), "user" | "users" | "assistant" | "ai" | "chatbot" | "reader");
        // "Quill 2.0 moves to Ely": a product lives nowhere.
        let product = matches!(relation, "lives_in" | "located_in" | "employer") && unversioned(head) != head;
        if passing || reader || product {
            return;
        }
        // "I broke up with my boyfriend", "we lost our dog": whoever that is.
        let nameless = said.polarity == Polarity::Ends && !tail.chars().any(char::is_uppercase);
        let till_death = self.grammar.relation_named(relation).and_then(|at| self.grammar.relation(at)).is_some_and(|one| one.till_death);
        if nameless && till_death {
            let which = if relation == "has_pet" { Which::OfSort } else { Which::Only };
            self.over(scene, relation, head, tail, which, saying);
            return;
        }
        let Some(tail) = self.meant(scene, relation, tail, saying) else {
            self.refuse(scene, saying.from, saying.to, RejectionKind::Unresolved, "a common noun names nobody");
            return;
        };
        let tail = ["favourite ", "favorite "].iter().find_map(|lead| tail.strip_prefix(lead)).unwrap_or(&tail);
        let head = if self.setting.is_written() && OF_PRODUCTS.contains(&relation) { unversioned(head) } else { head };
        // What came about once and stands since is not over for being told in the past: "it was founded by Ann".
        let settled = self.grammar.relation_named(relation).and_then(|at| self.grammar.relation(at)).is_some_and(|one| one.settled);
        let said = if settled && said.phase == Phase::Past { Verdict { phase: Phase::Happened, ..said } } else { said };
        // What is to come is read as coming: "booked for 24 June".
        if relation == "has_appointment" || said.phase == Phase::Ahead {
            for time in &mut times {
                self.prefer_coming(time);
            }
        }
        // "I got a job at Orb, starting in July": the one to come.
        let starting = |time: &TimeMention| {
            let before = scene.text.get(..time.bytes.start).unwrap_or_default().trim_end();
            let before = [" in", " on", " from"].iter().find_map(|lead| before.strip_suffix(lead)).unwrap_or(before);
            before.ends_with("starting") || before.ends_with("beginning")
        };
        let announced = said.phase == Phase::Began && times.iter().any(starting);
        for time in times.iter_mut().filter(|time| starting(time)) {
            self.prefer_coming(time);
        }
        let said = if announced { Verdict { phase: Phase::Ahead, ..said } } else { said };
        let told = saying.group.is_some_and(|group| group.tense == Tense::Past || group.perfect);
        if told && relation != "has_appointment" && matches!(said.phase, Phase::Began | Phase::Past | Phase::Happened | Phase::Over) {
            // "has named Ann head from 1 August": from the one to come.
            let from = |time: &TimeMention| {
                let text = scene.text.get(time.bytes.clone()).unwrap_or_default();
                text.get(..5).is_some_and(|lead| lead.eq_ignore_ascii_case("from "))
                    && self.setting.is_written()
                    && said.phase == Phase::Began
            };
            for time in &mut times {
                if from(time) {
                    self.prefer_coming(time);
                } else {
                    self.prefer_gone(time);
                }
            }
        }
        let article = self.grammar.relation_named(relation).and_then(|at| self.grammar.relation(at)).is_some_and(|one| one.article);
        let changes = matches!(said.phase, Phase::Began | Phase::Over);
        if times.is_empty() && changes && self.setting.is_written() {
            times.extend(self.dateline.and_then(|time| self.setting.times.get(time)).cloned());
        }
        let article = article || relation == "is_a" && self.grammar.has_class(&tail.to_lowercase(), "work_noun");
        let head = if article && head.starts_with(char::is_uppercase) { with_article(scene, head) } else { head.to_owned() };
        // "from 2012 to 2014 and again from 2017 to 2020": each stretch is a claim of its own.
        let again = (saying.from..saying.to.max(saying.from) + 12).any(|at| {
            matches!(scene.line.lower(at), "again" | "twice")
                || scene.line.lower(at) == "more" && scene.line.lower(at.wrapping_sub(1)) == "once"
        });
        let draft = |said: Verdict, times: Vec<TimeMention>| Draft {
            head: trimmed(&head),
            relation: relation.to_owned(),
            tail: trimmed(tail),
            polarity: said.polarity,
            phase: said.phase,
            times,
            quote: scene.bytes(saying.from, saying.to),
            pattern: format!("en/{relation}/{number}"),
            confidence: PLAIN,
            corrects: None,
        };
        let apart = |time: &&TimeMention| time.role == Role::During || again && matches!(time.role, Role::At | Role::Since | Role::Until);
        let stretches: Vec<TimeMention> = times.iter().filter(apart).cloned().collect();
        if let [_, further @ ..] = stretches.as_slice()
            && !further.is_empty()
        {
            for stretch in stretches {
                // "again since 2018" goes on.
                let open = stretch.role == Role::Since && said.phase == Phase::Past;
                let said = if open { Verdict { phase: Phase::Began, ..said } } else { said };
                self.reading.drafts.push(draft(said, vec![stretch]));
            }
            return;
        }
        // "I start on 3 May. I'll report to Ann": from then on.
        let will = saying.group.is_some_and(|group| group.tense == Tense::Future) && times.is_empty() && said.phase == Phase::Now;
        let announced = self.reading.drafts.iter().rev().find(|draft| {
            let coming = draft.phase == Phase::Ahead
                || draft.phase == Phase::Began && draft.times.iter().any(|time| starts_after(time, self.setting.calendar.reference));
            coming && draft.head == trimmed(&head)
        });
        let (said, times) = match announced.filter(|_| will && said.polarity == Polarity::Holds) {
            Some(draft) => (Verdict { phase: Phase::Ahead, ..said }, draft.times.clone()),
            None => (said, times),
        };
        self.reading.drafts.push(draft(said, times));
    }

    /// What stands in the place of a name: itself, or of "the company" the one that the text spoke of; `None` where none is named.
    fn meant(&self, scene: &Scene<'_, '_>, relation: &str, tail: &str, saying: &Saying<'_>) -> Option<String> {
        const SORTS: [&str; 31] = [
            "company",
            "firm",
            "team",
            "group",
            "organisation",
            "organization",
            "business",
            "startup",
            "start-up",
            "corporation",
            "agency",
            "office",
            "place",
            "job",
            "school",
            "college",
            "university",
            "uni",
            "club",
            "band",
            "board",
            "department",
            "bank",
            "shop",
            "store",
            "factory",
            "practice",
            "crew",
            "squad",
            "workplace",
            "employer",
        ];
        let named = |text: &str| text.chars().any(|c| c.is_uppercase() || c.is_numeric() || c.is_alphabetic() && !c.is_lowercase());
        let det = || scene_nps(scene, saying).find(|np| !np.pronoun && scene.slice(np.core, np.to) == tail).and_then(|np| np.det);
        match relation {
            "employer" | "member_of" | "plays_for" | "studies_at" if SORTS.contains(&tail) => {
                let definite = det().is_some_and(|det| matches!(scene.line.lower(det), "the" | "this" | "that"));
                let known = self.reading.drafts.iter().rev().filter(|draft| draft.polarity == Polarity::Holds && named(&draft.tail));
                known.filter(|draft| definite && draft.relation == relation).map(|draft| draft.tail.clone()).next()
            }
            // "in a small flat": a sort of home, and no place.
            "lives_in" | "born_in" if !named(tail) && det().is_some() => None,
            _ => Some(tail.to_owned()),
        }
    }

    /// Takes a later reading of a time that was read as past.
    pub(super) fn prefer_coming(&self, time: &mut TimeMention) {
        let now = self.setting.calendar.reference;
        let past = |value: &Value| matches!(value, Value::Moment(moment) if moment.hi() <= now);
        let coming = |value: &&Value| matches!(value, Value::Moment(moment) if moment.lo() >= now);
        let booked = matches!(time.role, Role::At | Role::Since) && past(&time.value);
        if let Some(later) = time.alternatives.iter().find(coming).copied().filter(|_| booked) {
            time.value = later;
        }
    }

    /// Takes an earlier reading of a time that was read as coming.
    pub(super) fn prefer_gone(&self, time: &mut TimeMention) {
        let now = self.setting.calendar.reference;
        let coming = |value: &Value| matches!(value, Value::Moment(moment) if moment.lo() > now);
        let gone = |value: &&Value| matches!(value, Value::Moment(moment) if moment.hi() <= now);
        // "until March" of what is over: the March that has been.
        let ends_ahead = |value: &Value| matches!(value, Value::Span(span) if matches!(span.end(), End::At(moment) if moment.lo() > now));
        let ended = |value: &&Value| matches!(value, Value::Span(span) if matches!(span.end(), End::At(moment) if moment.hi() <= now));
        if time.role == Role::Until
            && ends_ahead(&time.value)
            && let Some(earlier) = time.alternatives.iter().find(ended).copied()
        {
            time.value = earlier;
            time.anchor = None;
        }
        if coming(&time.value)
            && let Some(earlier) = time.alternatives.iter().find(gone).copied()
        {
            time.value = earlier;
        }
    }

    /// Settles what the claims of a text say of each other, once all of it is read.
    pub(super) fn settle(&mut self) {
        self.without_what_ended();
        self.pets_that_died();
        self.titles_in_full();
        self.lives_that_ended();
    }

    /// "My partner Al and I separated": what ends is not said to hold beside.
    fn without_what_ended(&mut self) {
        let over: Vec<(String, String, String)> = self
            .reading
            .drafts
            .iter()
            .filter(|draft| draft.polarity == Polarity::Ends)
            .map(|draft| (draft.head.clone(), draft.relation.clone(), draft.tail.clone()))
            .collect();
        let ended = |draft: &Draft| {
            over.iter().any(|(head, relation, tail)| {
                *relation == draft.relation && (*head == draft.head && *tail == draft.tail || *head == draft.tail && *tail == draft.head)
            })
        };
        self.reading
            .drafts
            .retain(|draft| !(draft.polarity == Polarity::Holds && draft.phase == Phase::Now && draft.times.is_empty() && ended(draft)));
    }

    /// "Our cat Tom died": he is a pet no longer.
    fn pets_that_died(&mut self) {
        let deaths: Vec<Draft> = self.reading.drafts.iter().filter(|draft| draft.relation == "died_on").cloned().collect();
        for death in deaths {
            let mut pet = false;
            for draft in self.reading.drafts.iter_mut().filter(|draft| draft.relation == "has_pet" && draft.tail == death.head) {
                (draft.phase, draft.polarity) = (Phase::Over, Polarity::Ends);
                draft.times.clone_from(&death.times);
                pet = true;
            }
            self.reading.drafts.retain(|draft| !(pet && draft.relation == "died_on" && draft.head == death.head));
        }
    }

    /// A work goes by one name throughout, with its "The".
    fn titles_in_full(&mut self) {
        let titles: Vec<String> =
            self.reading.drafts.iter().filter_map(|draft| draft.head.strip_prefix("The ").map(str::to_owned)).collect();
        for draft in self.reading.drafts.iter_mut().filter(|draft| titles.contains(&draft.head)) {
            draft.head = format!("The {}", draft.head);
        }
    }

    /// What is said of the dead held until they died.
    fn lives_that_ended(&mut self) {
        let ends: Vec<(String, TimeMention)> = self
            .reading
            .drafts
            .iter()
            .filter(|draft| draft.relation == "died_on")
            .filter_map(|draft| Some((draft.head.clone(), draft.times.first()?.clone())))
            .collect();
        for draft in self.reading.drafts.iter_mut().filter(|draft| draft.phase == Phase::Past && draft.times.is_empty()) {
            if let Some((_, end)) = ends.iter().find(|(head, _)| *head == draft.head) {
                draft.times = vec![TimeMention { role: Role::Until, ..end.clone() }];
            }
        }
    }
}

/// The noun phrases of what a claim is read from.
fn scene_nps<'s>(scene: &'s Scene<'_, '_>, saying: &Saying<'_>) -> impl Iterator<Item = &'s super::super::chunk::Np> {
    let (from, to) = (saying.from, saying.to);
    (0..scene.chunks.len()).filter_map(|chunk| scene.np(chunk)).filter(move |np| np.from >= from && np.to <= to)
}

/// Whether a time begins after an instant.
fn starts_after(time: &TimeMention, now: crate::time::Instant) -> bool {
    match time.value {
        Value::Moment(moment) => moment.lo() > now,
        Value::Span(_) => time.anchor.is_some_and(|anchor| anchor.lo() > now),
        Value::Duration(_) | Value::Set(_) => false,
    }
}

/// Relations that a product has in each of its versions.
const OF_PRODUCTS: [&str; 7] = ["depends_on", "supports", "uses_database", "implemented_in", "licensed_under", "uses", "deployed_to"];

/// A product without the version that is named with it: "Quill 2.0", "version 2.0 of Quill".
fn unversioned(head: &str) -> &str {
    let is_version = |word: &str| {
        let digits = word.trim_start_matches(['v', 'V']);
        digits.starts_with(|c: char| c.is_ascii_digit()) && (digits.contains('.') || digits.len() < word.len())
    };
    if let Some((before, after)) = head.split_once(" of ")
        && before.split(' ').next_back().is_some_and(is_version)
    {
        return after;
    }
    match head.rsplit_once(' ') {
        Some((name, last)) if is_version(last) => name.trim_end_matches(" version").trim_end_matches(" Version"),
        _ => head,
    }
}

/// A text without the marks and spaces around it.
fn trimmed(text: &str) -> String {
    text.trim().trim_end_matches([',', ';', ':', '.']).trim().to_owned()
}

/// A work's name with the article that stands before it in the text: "The Tin Boat".
fn with_article(scene: &Scene<'_, '_>, name: &str) -> String {
    let at = (scene.sentence.from..scene.sentence.to).find(|at| {
        scene.line.tokens.get(*at).is_some_and(|token| token.text == "The")
            && scene.text.get(scene.bytes(*at + 1, *at + 2).start..).is_some_and(|rest| rest.starts_with(name))
    });
    match at {
        Some(_) => format!("The {name}"),
        None => name.to_owned(),
    }
}
