//! What is said beside the clauses: appositions, habits, deeds that are reported, how answers are wished for, and what has ended in place of
//! what is said. Knows no clause pattern.

use super::super::chunk::Tense;
use super::super::clause::{Clause, Mode};
use super::super::judge::{Hints, Verdict};
use super::super::pack::{Effect, Pattern, Piece, Relation, Sort, Subject};
use super::super::scene::Scene;
use super::super::words::Tag;
use super::{Heads, Reader, Saying};
use crate::extract::rules::draft::Phase;
use crate::model::Polarity;
use crate::time::expr::Role;

impl<'g> Reader<'_, 'g> {
    /// "Ann took over as head from Bo", "… , replacing Bo": who had the place before has it no longer.
    pub(super) fn in_place_of(
        &mut self,
        scene: &Scene<'_, 'g>,
        pattern: &Pattern,
        relation: &Relation,
        pairs: &[(String, String)],
        from: usize,
        said: &Saying<'g>,
    ) {
        const PLACES: [&str; 4] = ["ceo_of", "director_of", "coaches", "holds_position"];
        if pattern.effect != Effect::Begins || !PLACES.contains(&relation.name.as_str()) {
            return;
        }
        let place = (from..scene.sentence.to).find(|at| {
            matches!(scene.line.lower(*at), "replacing" | "succeeding")
                || scene.line.lower(*at) == "from" && said.group.is_some_and(|group| matches!(group.lemma, "take" | "inherit"))
        });
        let Some(found) = place.and_then(|at| scene.matches(&[Piece::Tail(Sort::PersonName)], at + 1, scene.sentence.to)) else { return };
        for (_, tail) in pairs {
            for old in &found.tails {
                self.push(
                    scene,
                    &relation.name,
                    pattern.number,
                    Verdict { phase: Phase::Over, polarity: Polarity::Ends },
                    &old.text,
                    tail,
                    &Saying { to: found.to, ..said.clone() },
                );
            }
        }
    }

    /// "I report to Ann instead of Bo": what it stands in place of has ended.
    #[expect(clippy::too_many_arguments, reason = "it needs all that the match it follows had")]
    pub(super) fn instead(
        &mut self,
        scene: &Scene<'_, 'g>,
        pattern: &Pattern,
        relation: &Relation,
        pairs: &[(String, String)],
        from: usize,
        end: usize,
        said: &Saying<'g>,
    ) {
        let instead = scene.line.lower(from) == "instead" && scene.line.lower(from + 1) == "of";
        if !instead || relation.event || !matches!(pattern.effect, Effect::Holds | Effect::Begins | Effect::Lasts) {
            return;
        }
        let Some(found) = scene.matches(&[Piece::Tail(relation.tail)], from + 2, end) else { return };
        let over = Saying { group: None, former: false, hints: Hints::default(), to: found.to, ..said.clone() };
        for (head, _) in pairs {
            for tail in &found.tails {
                self.push(
                    scene,
                    &relation.name,
                    pattern.number,
                    Verdict { phase: Phase::Over, polarity: Polarity::Ends },
                    head,
                    &tail.text,
                    &over,
                );
            }
        }
    }

    /// Indefinite phrases beside a name: "Wes, a paramedic, …".
    pub(super) fn appositions(&mut self, scene: &Scene<'_, 'g>) {
        for chunk in 0..scene.chunks.len() {
            let named = scene.name(chunk);
            let Some(np) = scene.np(chunk).filter(|np| !np.pronoun && (named.is_some() || np.owner.is_some())) else { continue };
            // A name that stands beside its noun is what the phrase is about.
            let after = named.map_or(np.to, |(_, to)| to.max(np.to));
            let Some(place) = scene.chunk_at(after).filter(|_| after < scene.sentence.to) else { continue };
            if scene.word(place).is_none_or(|(_, tag)| tag != Tag::Comma) {
                continue;
            }
            let Some(described) = scene.np(place + 1) else { continue };
            let indefinite = described.det.is_some_and(|det| matches!(scene.line.lower(det), "a" | "an" | "the"))
                && !described.is_name()
                && described.owner.is_none();
            let bare =
                scene.grammar.has_class(&scene.noun_phrase(described), "job") && scene.setting.is_written() && described.name.is_none();
            let number = scene.line.tag(described.core) == Some(Tag::Num)
                && described.to == described.core + 1
                && scene.line.tag(described.to) == Some(Tag::Comma);
            let led = scene.word(chunk.wrapping_sub(1)).is_some_and(|(_, tag)| matches!(tag, Tag::Comma | Tag::And));
            if led {
                continue;
            }
            let Some(head) = scene.denoted(chunk) else { continue };
            let end = (described.from..scene.sentence.to)
                .find(|at| {
                    matches!(scene.line.tag(*at), Some(Tag::Comma | Tag::Mark | Tag::Be | Tag::Verb | Tag::Have | Tag::And | Tag::But))
                })
                .unwrap_or(scene.sentence.to);
            let closed = end == scene.sentence.to || !matches!(scene.line.tag(end), Some(Tag::And));
            let saying = Saying {
                group: None,
                hints: Hints::default(),
                former: false,
                timeless: true,
                times: Vec::new(),
                from: np.from,
                to: end,
                denied: false,
            };
            if number {
                let age = scene.slice(described.core, described.to);
                if age.len() <= 3 && named.is_some() {
                    self.claim(scene, "age", 0, Effect::Holds, &head, age, &saying);
                }
            } else if (indefinite || bare) && closed {
                self.patterns(scene, "be", false, (described.from, end), &[chunk], &Heads::known(head), &saying);
            }
        }
    }

    /// Whether all that was drafted since is that something is a hobby.
    pub(super) fn only_hobbies(&self, count: usize) -> bool {
        let new = self.reading.drafts.get(count..).unwrap_or_default();
        !new.is_empty() && new.iter().all(|draft| draft.relation == "hobby")
    }

    /// Something done regularly, in the speaker's own words: "I run every Sunday", "I usually skip lunch".
    pub(super) fn habit(&mut self, scene: &Scene<'_, 'g>, clause: &Clause<'g>, subjects: &[usize], saying: &Saying<'g>, count: usize) {
        const RHYTHMS: [&str; 5] = ["usually", "regularly", "normally", "generally", "typically"];
        let group = clause.group;
        let plain = group.tense == Tense::Present
            && !group.perfect
            && !group.progressive
            && !group.passive
            && !group.negated
            && (!group.bare || matches!(group.lemma, "do" | "have"));
        if !plain || clause.mode != Mode::Told || scene.setting.is_written() {
            return;
        }
        let people = subjects.iter().all(|subject| Self::subject_fits(scene, *subject, Sort::Person));
        // "the daily dose" is no rhythm of what is done.
        let set = (clause.from..saying.to.max(clause.rest.1)).any(|at| {
            super::super::chunk::is_time(&scene.line, at)
                .is_some_and(|time| self.setting.times.get(time).is_some_and(|time| time.role == Role::Every))
                && !(scene.line.lower(at).ends_with("ly") && scene.line.tag(at + 1) == Some(Tag::Noun))
        });
        let adverb = (clause.from..group.main).any(|at| RHYTHMS.contains(&scene.line.lower(at)));
        let phrase = scene.line.phrase(group.main, saying.to);
        let said = [
            "every day",
            "every morning",
            "every night",
            "each morning",
            "twice a week",
            "once a week",
            "a week",
            "a day",
            "on weekends",
            "most days",
        ]
        .iter()
        .any(|rhythm| phrase.contains(rhythm));
        let felt = matches!(
            group.lemma,
            "feel"
                | "think"
                | "love"
                | "know"
                | "hope"
                | "want"
                | "wish"
                | "seem"
                | "look"
                | "sound"
                | "need"
                | "mean"
                | "guess"
                | "remember"
                | "?"
        );
        // "I live for weekends" is no habit.
        let longs = matches!(group.lemma, "live" | "long" | "wait" | "exist") && scene.line.lower(clause.rest.0) == "for";
        if !people || !(set || adverb || said) || felt || longs {
            return;
        }
        let mut to = saying.to;
        while to > group.main && matches!(scene.line.tag(to - 1), Some(Tag::Comma | Tag::Mark)) {
            to -= 1;
        }
        let tail = scene.slice(group.main, to);
        // "I do yoga every morning" tells more than that yoga is a hobby.
        self.reading.drafts.truncate(count);
        let habit = Saying { group: None, timeless: true, ..saying.clone() };
        for head in self.heads(scene, subjects) {
            self.claim(scene, "habit", 0, Effect::Holds, &head, tail, &habit);
        }
    }

    /// Whether an assistant says what it has done for the person, which is news.
    pub(super) fn reports_deed(scene: &Scene<'_, '_>, clause: &Clause<'_>, subjects: &[usize]) -> bool {
        const DEEDS: [&str; 16] = [
            "book",
            "schedule",
            "reserve",
            "order",
            "cancel",
            "set",
            "move",
            "confirm",
            "arrange",
            "reschedule",
            "rebook",
            "renew",
            "register",
            "enrol",
            "subscribe",
            "purchase",
        ];
        if !DEEDS.contains(&clause.group.lemma) {
            return false;
        }
        let by_assistant = subjects
            .first()
            .and_then(|subject| scene.np(*subject))
            .is_some_and(|np| np.pronoun && matches!(scene.line.lower(np.from), "i" | "we"));
        let done = clause.group.perfect || clause.group.tense == Tense::Past || clause.group.passive;
        (by_assistant || clause.group.passive) && done
    }

    /// A deed of the assistant's as what the person now has: "your haircut is booked for Friday", "I've booked you a table".
    pub(super) fn deed(&mut self, scene: &Scene<'_, 'g>, clause: &Clause<'g>, subjects: &[usize], saying: &Saying<'g>) {
        let Some(person) = self.setting.addressee().map(str::to_owned) else { return };
        let booked = matches!(
            clause.group.lemma,
            "book" | "schedule" | "reserve" | "confirm" | "arrange" | "reschedule" | "rebook" | "move" | "set"
        );
        let tail = if clause.group.passive {
            let Some(np) = subjects.first().and_then(|subject| scene.np(*subject)) else { return };
            scene.slice(np.core, clause.group.from)
        } else {
            let piece = [Piece::Tail(Sort::Full)];
            let mut from = clause.rest.0;
            if scene.np_at(from).is_some_and(|(_, np)| np.pronoun) {
                from += 1;
            }
            let Some(found) = scene.matches(&piece, from, clause.rest.1) else { return };
            let Some(filled) = found.tails.first() else { return };
            scene.slice(filled.from, filled.to)
        };
        if booked && !tail.is_empty() {
            let done = Verdict { phase: Phase::Happened, polarity: Polarity::Holds };
            self.push(scene, "has_appointment", 0, done, &person, tail, saying);
        }
    }

    /// Orders and requests that are wishes for answers from now on: "please answer in French".
    pub(super) fn wishes_for_answers(&mut self, scene: &Scene<'_, 'g>, clause: &Clause<'g>, saying: &Saying<'g>) -> bool {
        if scene.setting.is_written() || scene.setting.is_assistant() || clause.mode == Mode::Supposed {
            return false;
        }
        let Some(author) = self.setting.author().map(str::to_owned) else { return false };
        let once = (clause.from..saying.to)
            .any(|at| matches!(scene.line.lower(at), "this" | "that" | "once" | "time" | "today" | "tonight" | "following"));
        if once {
            return false;
        }
        let count = self.reading.drafts.len();
        let grammar = self.grammar;
        let negated = clause.group.negated;
        for pattern in grammar.patterns(clause.group.lemma, false).filter(|pattern| pattern.subject == Subject::Any) {
            if (pattern.effect == Effect::Denied) != negated {
                continue;
            }
            let Some(found) = scene.matches(&pattern.pieces, clause.rest.0, clause.rest.1) else { continue };
            let Some(relation) = grammar.relation(pattern.relation) else { continue };
            let heads: Vec<String> =
                if found.heads.is_empty() { vec![author.clone()] } else { found.heads.iter().map(|filled| filled.text.clone()).collect() };
            if heads.iter().any(|head| *head != author) || !relation.name.starts_with("prefer") {
                continue;
            }
            // "from now on" says from when; other times are of what is asked for.
            let on = |time: &usize| self.setting.times.get(*time).is_some_and(|time| time.role == Role::Since);
            let times: Vec<usize> = scene.times(scene.sentence.from, scene.sentence.to).into_iter().filter(on).collect();
            let present = Saying { group: None, timeless: times.is_empty(), times, to: found.to, ..saying.clone() };
            for tail in &found.tails {
                self.claim(scene, &relation.name, pattern.number, Effect::Holds, &author, &tail.text, &present);
            }
            break;
        }
        self.reading.drafts.len() > count
    }

    /// "I got the job at the mill. I start on 3 May": the day on which what was told before begins.
    pub(super) fn starting(&mut self, clause: &Clause<'g>, subjects: &[usize], saying: &Saying<'g>) -> bool {
        let bare = matches!(clause.group.lemma, "start" | "begin")
            && clause.group.aspect.is_none()
            && !clause.group.passive
            && !clause.group.negated;
        let times = self.times(&saying.times);
        let now = self.setting.calendar.reference;
        let mut coming: Vec<_> = times.into_iter().filter(|time| time.role == Role::At).collect();
        for time in &mut coming {
            self.prefer_coming(time);
        }
        coming.retain(|time| matches!(time.value, crate::time::expr::Value::Moment(moment) if moment.lo() >= now));
        let Some(author) = self.setting.author().filter(|_| bare && subjects.len() <= 1 && !coming.is_empty()) else { return false };
        let begun = |draft: &&mut crate::extract::rules::draft::Draft| {
            matches!(draft.relation.as_str(), "employer" | "job_title" | "studies_at")
                && draft.phase == Phase::Began
                && draft.times.is_empty()
                && draft.head == author
        };
        let author_leads = subjects.is_empty() || self.last_subject.as_deref() == Some(author);
        let mut found = false;
        for draft in self.reading.drafts.iter_mut().filter(begun).filter(|_| author_leads) {
            draft.phase = Phase::Ahead;
            draft.times.clone_from(&coming);
            found = true;
        }
        found
    }

    /// Whether a clause is what its speaker said to somebody that they would do; then it is claimed as promised.
    pub(super) fn vowed(&mut self, scene: &Scene<'_, 'g>, clauses: &[Clause<'g>], at: usize, saying: &Saying<'g>) -> bool {
        let Some(clause) = clauses.get(at) else { return false };
        let Some(governor) = at.checked_sub(1).and_then(|before| clauses.get(before)) else { return false };
        let own = |clause: &Clause<'_>| {
            clause
                .subjects
                .first()
                .and_then(|subject| scene.np(*subject))
                .is_some_and(|np| np.pronoun && matches!(scene.line.lower(np.from), "i" | "we"))
        };
        let word = governor.group.lemma == "give" && (governor.rest.0..governor.rest.1).any(|at| scene.line.lower(at) == "word");
        let vows = (word || matches!(governor.group.lemma, "tell" | "promise" | "assure" | "swear" | "vow"))
            && governor.mode == Mode::Told
            && !governor.group.negated
            && !governor.group.unreal
            && governor.group.tense != Tense::Future
            && own(governor);
        let will = (clause.group.from..clause.group.main).any(|at| matches!(scene.line.lower(at), "'ll" | "will" | "would" | "'d"));
        if !(vows && will && own(clause)) || clause.group.negated || clause.group.perfect || clause.mode != Mode::Told {
            return false;
        }
        let Some(author) = self.setting.author().map(str::to_owned) else { return false };
        let tail = scene.slice(clause.group.main, saying.to);
        let present = Saying { group: None, timeless: true, ..saying.clone() };
        self.claim(scene, "committed_to", 0, Effect::Holds, &author, tail, &present);
        true
    }

    /// "… again after two years in Ely": the stay there is over, and its length says nothing of what is told. With the place.
    pub(super) fn after_a_stay(scene: &Scene<'_, 'g>, clause: &Clause<'g>, saying: Saying<'g>) -> (Saying<'g>, Option<String>) {
        let line = &scene.line;
        // "after two years in", "after a year in", "after years in"
        let stays = |at: usize| {
            let spell = matches!(
                line.lower(at),
                "year" | "month" | "week" | "decade" | "while" | "spell" | "stint" | "years" | "months" | "weeks" | "summer" | "winter"
            );
            let place = match line.tag(at) {
                Some(Tag::Time) => at + 1,
                Some(Tag::Det)
                    if matches!(
                        line.lower(at + 1),
                        "year" | "month" | "week" | "decade" | "while" | "spell" | "stint" | "summer" | "winter"
                    ) =>
                {
                    at + 2
                }
                Some(Tag::Noun) if spell => at + 1,
                _ => return None,
            };
            (line.tag(place) == Some(Tag::Prep) && matches!(line.lower(place), "in" | "at" | "on")).then_some(place + 1)
        };
        let stay = (clause.rest.0..scene.sentence.to).find(|at| line.lower(*at) == "after" && stays(at + 1).is_some());
        let Some((_, np)) = stay.and_then(|at| scene.np_at(stays(at + 1)?)).filter(|(_, np)| np.name.is_some()) else {
            return (saying, None);
        };
        let inside = stay.map(|at| scene.times(at, at + 3)).unwrap_or_default();
        let times = saying.times.iter().copied().filter(|time| !inside.contains(time)).collect();
        (Saying { times, ..saying }, Some(scene.slice(np.core, np.to).to_owned()))
    }

    /// "As a nurse, I …": what the speaker is.
    pub(super) fn as_somebody(&mut self, scene: &Scene<'_, 'g>) {
        let line = &scene.line;
        let from = scene.sentence.from;
        let leads = line.lower(from) == "as" && matches!(line.lower(from + 1), "a" | "an");
        let Some((_, np)) = scene.np_at(from + 1).filter(|(_, np)| leads && np.name.is_none()) else { return };
        let own = (np.to..scene.sentence.to).any(|at| matches!(line.lower(at), "i" | "my" | "me" | "we"));
        if line.tag(np.to) != Some(Tag::Comma) || !own || scene.setting.is_written() || scene.setting.is_assistant() {
            return;
        }
        let phrase = line.phrase(np.core, np.to);
        // "As a child, I …" tells of once; "as a friend" of nothing.
        if ["kin", "person_noun", "vague"].iter().any(|class| scene.grammar.has_class(&phrase, class)) {
            return;
        }
        let Some(author) = self.setting.author().map(str::to_owned) else { return };
        let saying = Saying::of_noun(scene, from, np.to, false);
        self.patterns(scene, "be", false, (from + 1, np.to), &[], &Heads::known(author), &saying);
    }
}
