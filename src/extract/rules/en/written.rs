//! Written matter: headings, items, labels and fragments: what has no verb, or has it without its subject.
//! Knows nothing of conversation.

use super::clause::Clause;
use super::judge::Hints;
use super::pack::Effect;
use super::read::{Heads, Reader, Saying};
use super::scene::Scene;
use super::token::Kind;
use super::words::Tag;

impl<'g> Reader<'_, 'g> {
    /// Reads a heading or a labelled line; false where it is a sentence like any other.
    pub(super) fn written(&mut self, scene: &Scene<'_, 'g>, found: &[Clause<'g>]) -> bool {
        if !scene.setting.is_written() {
            return false;
        }
        self.action(scene) || self.heading(scene, found)
    }

    /// "## Quill 3.2.0 (2024-05-02)", "Minutes, 11 March".
    fn heading(&mut self, scene: &Scene<'_, 'g>, found: &[Clause<'g>]) -> bool {
        let line = &scene.line;
        let (from, to) = (scene.sentence.from, scene.sentence.to);
        let marked = line.lower(from) == "#";
        let verbless = found.is_empty();
        if !marked && !verbless {
            return self.dated_release(scene);
        }
        let time = (from..to).find_map(|at| super::chunk::is_time(line, at));
        let first_line = from == 0;
        if !marked && !(first_line && time.is_some()) {
            return false;
        }
        self.dateline = time.or(self.dateline);
        let start = (from..to).find(|at| !matches!(line.lower(*at), "#" | "-" | "*" | "["));
        let Some(start) = start.filter(|_| marked || line.lower(from) != "meeting") else { return true };
        let Some((chunk, np)) = scene.np_at(start) else { return true };
        let is_version = |at: usize| {
            let token = line.tokens.get(at);
            let digits = token.is_some_and(|token| token.text.trim_start_matches(['v', 'V']).starts_with(|c: char| c.is_ascii_digit()));
            digits && token.is_some_and(|token| token.text.contains('.')) && !matches!(token.map(|token| token.kind), Some(Kind::Time(_)))
        };
        let version = (start..to).find(|at| is_version(*at));
        let name_to = version.unwrap_or(np.to).min(np.to);
        if scene.name(chunk).is_some() && name_to > start {
            self.topic = Some(scene.slice(start, name_to).to_owned());
        }
        if let (Some(version), Some(topic)) = (version, self.topic.clone()) {
            let tail = scene.slice(version, version + 1).trim_start_matches(['v', 'V']).to_owned();
            let saying = Saying {
                group: None,
                hints: Hints::default(),
                former: false,
                timeless: false,
                times: time.into_iter().collect(),
                from,
                to,
                denied: false,
            };
            self.begun(scene, "released", &topic, &tail, &saying);
            self.begun(scene, "version", &topic, &tail, &saying);
        }
        true
    }

    /// "Quill v3.1 (1 May 2024): drops …": a heading with its first items on one line, which are read on.
    fn dated_release(&mut self, scene: &Scene<'_, 'g>) -> bool {
        let from = scene.sentence.from;
        let Some((_, np)) = scene.np_at(from).filter(|(_, np)| np.to > np.core + 1) else { return false };
        let last = scene.slice(np.to - 1, np.to);
        let version = last.trim_start_matches(['v', 'V']);
        let numbered = version.starts_with(|c: char| c.is_ascii_digit()) && version.contains('.');
        let time = (np.to..(np.to + 3).min(scene.sentence.to)).find_map(|at| super::chunk::is_time(&scene.line, at));
        if numbered && time.is_some() {
            let name = scene.slice(np.core, np.to - 1).to_owned();
            let saying = Saying {
                group: None,
                hints: Hints::default(),
                former: false,
                timeless: false,
                times: time.into_iter().collect(),
                from,
                to: np.to,
                denied: false,
            };
            self.begun(scene, "released", &name, version, &saying);
            self.begun(scene, "version", &name, version, &saying);
            self.dateline = time.or(self.dateline);
            self.topic = Some(name);
        }
        false
    }

    fn begun(&mut self, scene: &Scene<'_, '_>, relation: &str, head: &str, tail: &str, saying: &Saying<'_>) {
        let said = super::judge::Verdict { phase: crate::extract::rules::draft::Phase::Began, polarity: crate::model::Polarity::Holds };
        self.push(scene, relation, 0, said, head, tail, saying);
    }

    /// "ACTION: Ann to send the draft".
    fn action(&mut self, scene: &Scene<'_, 'g>) -> bool {
        let line = &scene.line;
        let (from, to) = (scene.sentence.from, scene.sentence.to);
        let start = (from..to).find(|at| !matches!(line.lower(*at), "#" | "-" | "*" | "[" | "]" | "x" | "•")).unwrap_or(from);
        let labelled = matches!(line.lower(start), "action" | "actions" | "ai" | "todo" | "to-do" | "task" | "next");
        let mut at = start;
        if labelled {
            let Some(colon) = (start..to.min(start + 5)).find(|at| line.lower(*at) == ":") else { return false };
            // "TODO Ann: call the mill" names who is to do it in front of the mark.
            let who = start + 1 + usize::from(matches!(line.lower(start + 1), "for" | "on" | "item"));
            if colon > who && (who..colon).all(|at| line.tag(at) == Some(Tag::Name)) {
                return self.task(scene, (who, colon), colon + 1);
            }
            at = colon + 1;
        }
        let Some((_, np)) = scene.np_at(at).filter(|(_, np)| np.is_name() && np.from == at) else { return false };
        let mut verb = np.to;
        if line.tag(verb) == Some(Tag::Mark) {
            verb += 1;
        }
        let infinitive = line.tag(verb) == Some(Tag::To);
        let will = labelled && line.lower(verb) == "will";
        let bare = labelled
            && line.tag(np.to) == Some(Tag::Mark)
            && (line.verb(verb).is_some() || scene.grammar.verb(line.lower(verb)).iter().any(|(_, form)| *form == super::tag::Form::Base));
        if !(infinitive || will || bare) {
            return false;
        }
        let from_verb = if infinitive || will { verb + 1 } else { verb };
        self.task(scene, (np.core, np.to), from_verb)
    }

    /// What somebody is to do, from a verb to the end of the line.
    fn task(&mut self, scene: &Scene<'_, 'g>, name: (usize, usize), verb: usize) -> bool {
        let to = scene.sentence.to;
        let tail = scene.slice(verb, to);
        if tail.is_empty() {
            return false;
        }
        let head = scene.slice(name.0, name.1).to_owned();
        let saying = Saying {
            group: None,
            hints: Hints::default(),
            former: false,
            timeless: true,
            times: Vec::new(),
            from: name.0,
            to,
            denied: false,
        };
        self.claim(scene, "committed_to", 0, Effect::Holds, &head, tail, &saying);
        true
    }

    /// A sentence without a verb: "Due 29 March", "Owner: Ann".
    pub(super) fn fragment(&mut self, scene: &Scene<'_, 'g>) {
        let line = &scene.line;
        let (from, to) = (scene.sentence.from, scene.sentence.to);
        let start = (from..to).find(|at| !matches!(line.lower(*at), "-" | "*" | "•")).unwrap_or(from);
        // "Due 29 March" is said of what the sentence before was about.
        if !scene.setting.is_written() {
            return;
        }
        let Some(head) = self.at_hand() else { return };
        if (start..to).any(|at| line.lower(at) == ":") && self.labelled(scene, &head, start, to) {
            return;
        }
        let saying = Saying {
            group: None,
            hints: Hints::default(),
            former: false,
            timeless: true,
            times: Vec::new(),
            from: start,
            to,
            denied: false,
        };
        self.patterns(scene, "be", false, (start, to), &[], &Heads::known(head), &saying);
    }

    /// What the text is about here: the name in its heading, else the head of its last claim, else its last subject.
    pub(super) fn at_hand(&self) -> Option<String> {
        let last = self.reading.drafts.last().map(|draft| draft.head.clone());
        self.topic.clone().or(last).or_else(|| self.last_subject.clone())
    }

    /// "Quill 1.2 was released": the product and its version stand together as the subject.
    pub(super) fn release(&mut self, scene: &Scene<'_, 'g>, clause: &Clause<'g>, subjects: &[usize], saying: &Saying<'g>) -> bool {
        let out = clause.group.lemma == "come" && scene.line.lower(clause.rest.0) == "out";
        let released = out || clause.group.passive && matches!(clause.group.lemma, "release" | "ship" | "launch" | "publish" | "tag");
        let Some((chunk, np)) = subjects.first().and_then(|subject| Some((*subject, scene.np(*subject)?))).filter(|_| released) else {
            return false;
        };
        // "Version 1.2 of Quill", "v1.2 of Quill".
        if scene.word(chunk + 1).is_some_and(|(at, _)| scene.line.lower(at) == "of")
            && let Some(of) = scene.np(chunk + 2).filter(|of| of.name.is_some())
        {
            let version = scene.slice(np.to - 1, np.to).trim_start_matches(['v', 'V']);
            let numbered = version.starts_with(|c: char| c.is_ascii_digit()) && version.contains('.');
            let plain = np.to == np.core + 1 || matches!(scene.line.lower(np.core), "version" | "release");
            if numbered && plain {
                self.released(scene, scene.slice(of.core, of.to), version, saying);
                return true;
            }
        }
        if np.to <= np.core + 1 {
            return false;
        }
        let last = scene.slice(np.to - 1, np.to);
        if !last.trim_start_matches(['v', 'V']).starts_with(|c: char| c.is_ascii_digit()) {
            return false;
        }
        let mut name_to = np.to - 1;
        if scene.line.lower(name_to - 1) == "version" && name_to > np.core + 1 {
            name_to -= 1;
        }
        let name = scene.slice(np.core, name_to).to_owned();
        self.released(scene, &name, last.trim_start_matches(['v', 'V']), saying);
        true
    }

    /// A product with its version, which it has from the day of its release on.
    fn released(&mut self, scene: &Scene<'_, 'g>, name: &str, version: &str, saying: &Saying<'g>) {
        let count = self.reading.drafts.len();
        self.claim(scene, "released", 0, Effect::Holds, name, version, saying);
        let new = self.reading.drafts.get(count);
        if new.is_some_and(|draft| draft.polarity == crate::model::Polarity::Holds && !draft.times.is_empty()) {
            self.begun(scene, "version", name, version, saying);
        }
    }
}
