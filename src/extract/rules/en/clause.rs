//! Clauses: which verb group has which subject, where its complement ends, and whether it is told, asked, ordered or supposed.
//! Knows no relation.

use super::chunk::{Chunk, Line, Np, Tense, Vg};
use super::tag::Form;
use super::words::Tag;

/// What sort of clause it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// It is told.
    Told,
    /// It is asked.
    Asked,
    /// It is ordered.
    Ordered,
    /// It hangs on an "if".
    Supposed,
    /// It describes the noun before it: "who lives in Rome", "written by her".
    Relative,
}

/// A clause.
#[derive(Clone, Debug)]
pub(super) struct Clause<'g> {
    pub(super) group: Vg<'g>,
    /// The chunks that are its subject; several where they are coordinated; none where it has none.
    pub(super) subjects: Vec<usize>,
    /// Its subject is that of the clause before.
    pub(super) shared: bool,
    pub(super) mode: Mode,
    /// The first token of it, its subject and what leads to it included.
    pub(super) from: usize,
    /// The tokens after the verb group, up to the next clause.
    pub(super) rest: (usize, usize),
}

/// Finds the clauses among the chunks of a sentence.
pub(super) fn clauses<'g>(line: &Line<'_, 'g>, chunks: &[Chunk<'g>], asked: bool) -> Vec<Clause<'g>> {
    let mut found: Vec<Clause<'g>> = Vec::new();
    let mut skip = None;
    for (place, chunk) in chunks.iter().enumerate() {
        let Chunk::Vg(group) = chunk else { continue };
        // "a band called Rattle": the name belongs to the phrase, not to a clause.
        let names = group.reduced
            && matches!(group.lemma, "call" | "name" | "nickname" | "title" | "dub")
            && matches!(chunks.get(place + 1), Some(Chunk::Np(_)));
        let beside = names && place.checked_sub(1).is_some_and(|before| matches!(chunks.get(before), Some(Chunk::Np(np)) if !np.pronoun));
        if skip == Some(place) || beside {
            continue;
        }
        let mut clause = with_subject(line, chunks, place, *group, &found);
        if clause.subjects.is_empty()
            && (!clause.shared || asked)
            && clause.mode != Mode::Relative
            && let Some((inverted, merged)) = inverted(line, chunks, place, group)
        {
            clause = Clause { from: clause.from, ..inverted };
            skip = merged;
        }
        found.push(clause);
    }
    fronted(line, chunks, &mut found);
    let starts: Vec<usize> = found.iter().map(|clause| clause.from).collect();
    let sentence_from = chunks.first().map_or(0, Chunk::from);
    for (place, clause) in found.iter_mut().enumerate() {
        let limit = starts.iter().skip(place + 1).copied().find(|from| *from >= clause.rest.0).unwrap_or(line.end);
        clause.rest.1 = rest_end(line, clause.rest.0, limit);
        if place == 0 {
            clause.from = sentence_from;
        }
    }
    if asked {
        mark_asked(&mut found, chunks, line);
    }
    found
}

/// "Founded in 1987, the mill is …": a participle in front describes the subject of what follows.
fn fronted(line: &Line<'_, '_>, chunks: &[Chunk<'_>], found: &mut [Clause<'_>]) {
    let [first, second, ..] = found else { return };
    let leads = chunks.first().is_some_and(|chunk| chunk.from() == first.group.from);
    let participle = first.subjects.is_empty()
        && !first.group.negated
        && first.group.main == first.group.from
        && matches!(line.verb(first.group.main), Some((_, Form::Past | Form::Participle)));
    let comma = second.subjects.first().is_some_and(|subject| *subject > 0 && is_comma(line, chunks, subject - 1));
    if leads && participle && comma && !second.subjects.is_empty() {
        first.subjects.clone_from(&second.subjects);
        first.shared = false;
        first.mode = Mode::Relative;
        first.group.passive = true;
        first.group.reduced = true;
        first.group.tense = Tense::None;
    }
}

/// Where the complement ends that begins at a place: at a mark or a word that begins another clause.
fn rest_end(line: &Line<'_, '_>, from: usize, limit: usize) -> usize {
    let ends = |at: &usize| match line.tag(*at) {
        Some(Tag::Mark) => !matches!(line.lower(*at), "-" | "/" | "'" | "+" | "#" | "*"),
        Some(Tag::Sub | Tag::But | Tag::Speech | Tag::Wh) => true,
        _ => false,
    };
    let mut end = (from..limit).find(ends).unwrap_or(limit);
    // What joins the next clause belongs to neither.
    while end > from && matches!(line.tag(end - 1), Some(Tag::Comma | Tag::And | Tag::But | Tag::Sub)) {
        end -= 1;
    }
    end
}

/// In a sentence with a question mark, clauses in plain order are told only beside one that is asked.
fn mark_asked(found: &mut [Clause<'_>], chunks: &[Chunk<'_>], line: &Line<'_, '_>) {
    let asks = found.iter().any(|clause| clause.mode == Mode::Asked);
    let leads =
        chunks.first().is_some_and(|chunk| line.tag(chunk.from()) == Some(Tag::Wh) || matches!(line.lower(chunk.from()), "where" | "when"));
    let count = found.len();
    for (place, clause) in found.iter_mut().enumerate() {
        // "Is it true that he lives here?"
        let hangs = clause.from.checked_sub(1).is_some_and(|at| matches!(line.lower(at), "that" | "whether" | "if"))
            || matches!(line.lower(clause.from), "that" | "whether");
        if clause.mode == Mode::Told && (!asks || hangs || leads && place + 1 == count) {
            clause.mode = Mode::Asked;
        }
    }
}

fn with_subject<'g>(line: &Line<'_, 'g>, chunks: &[Chunk<'g>], place: usize, group: Vg<'g>, found: &[Clause<'g>]) -> Clause<'g> {
    let mut clause = Clause { group, subjects: Vec::new(), shared: false, mode: Mode::Told, from: group.from, rest: (group.to, group.to) };
    let mut at = place;
    // What stands between subject and verb and is neither.
    while at > 0
        && let Some(Chunk::Word(word)) = chunks.get(at - 1)
        && (matches!(line.tag(*word), Some(Tag::Adv | Tag::Time | Tag::Not)) || matches!(line.lower(*word), "both" | "all" | "each"))
    {
        at -= 1;
    }
    // "My goal for this year is": a time and what leads it.
    if at < place
        && at > 1
        && word_is(line, chunks, at, Tag::Time)
        && word_is(line, chunks, at - 1, Tag::Prep)
        && matches!(chunks.get(at - 2), Some(Chunk::Np(np)) if !np.pronoun)
    {
        at -= 1;
    }
    let Some(before) = at.checked_sub(1) else {
        return without_subject(line, chunks, place, clause, false);
    };
    match chunks.get(before) {
        Some(Chunk::Np(_)) => {
            if group.reduced {
                return Clause { subjects: vec![before], mode: Mode::Relative, ..clause };
            }
            let (subjects, first) = subject_ending_at(line, chunks, before, found);
            // "What languages do you speak?", "How old are you?": asked for, not a subject.
            let asked_for = first > 0 && word_is(line, chunks, first - 1, Tag::Wh) && matches!(chunks.get(place + 1), Some(Chunk::Np(_)));
            if asked_for && group.bare {
                return Clause { from: chunks.get(first - 1).map_or(group.from, Chunk::from), ..clause };
            }
            clause.from = chunks.get(first).map_or(group.from, Chunk::from);
            clause.subjects = subjects;
            supposed(line, chunks, first, clause)
        }
        Some(Chunk::Word(word)) => match line.tag(*word) {
            Some(Tag::Wh) => {
                let relates = matches!(line.lower(*word), "who" | "which" | "that" | "whom");
                let antecedent =
                    before.checked_sub(1).filter(|_| relates).map(|at| if is_comma(line, chunks, at) { at.saturating_sub(1) } else { at });
                match antecedent {
                    // "a firm based in Ely that makes boats": the firm makes them.
                    Some(np)
                        if np >= 2
                            && word_is(line, chunks, np - 1, Tag::Prep)
                            && matches!(chunks.get(np - 2), Some(Chunk::Vg(group)) if group.reduced)
                            && !is_comma(line, chunks, before - 1)
                            && found.last().is_some_and(|last| last.mode == Mode::Relative && !last.subjects.is_empty()) =>
                    {
                        let subjects = found.last().map(|last| last.subjects.clone()).unwrap_or_default();
                        Clause { subjects, mode: Mode::Relative, from: *word, ..clause }
                    }
                    // "Remind me, who is she?" asks; "me" is no antecedent.
                    Some(np) if matches!(chunks.get(np), Some(Chunk::Np(np)) if !np.pronoun || line.lower(np.from) == "someone") => {
                        Clause { subjects: vec![np], mode: Mode::Relative, from: *word, ..clause }
                    }
                    _ => Clause { mode: Mode::Asked, from: *word, ..clause },
                }
            }
            Some(Tag::Comma | Tag::Mark)
                if group.reduced
                    && before.checked_sub(1).is_some_and(|at| matches!(chunks.get(at), Some(Chunk::Np(np)) if !np.pronoun)) =>
            {
                Clause { subjects: vec![before - 1], mode: Mode::Relative, ..clause }
            }
            // "(born in Ely; died in Rome)": of the one before the bracket.
            Some(Tag::Mark) if line.lower(*word) == ";" && found.last().is_some_and(|clause| clause.mode == Mode::Relative) => {
                Clause { shared: true, ..clause }
            }
            Some(Tag::Comma | Tag::Mark) => match before_apposition(line, chunks, before) {
                Some(np) => {
                    let (subjects, first) = subject_ending_at(line, chunks, np, found);
                    clause.from = group.from;
                    clause.subjects = subjects;
                    supposed(line, chunks, first, clause)
                }
                None if line.tag(*word) == Some(Tag::Comma) => {
                    without_subject(line, chunks, place, Clause { from: *word, ..clause }, !found.is_empty())
                }
                None => without_subject(line, chunks, place, clause, false),
            },
            Some(Tag::And | Tag::But) => without_subject(line, chunks, place, Clause { from: *word, ..clause }, !found.is_empty()),
            _ => without_subject(line, chunks, place, clause, false),
        },
        Some(Chunk::Vg(_)) | None => without_subject(line, chunks, place, clause, false),
    }
}

/// A clause whose verb has nothing before it: it shares the subject of the clause before, or it is an order, or a report in few words.
fn without_subject<'g>(line: &Line<'_, 'g>, chunks: &[Chunk<'g>], _: usize, clause: Clause<'g>, shares: bool) -> Clause<'g> {
    let _ = chunks;
    if shares {
        return Clause { shared: true, ..clause };
    }
    let ordered = clause.group.tense == Tense::Present
        && matches!(line.verb(clause.group.main), Some((_, Form::Base)))
        && !clause.group.perfect
        && !clause.group.progressive
        || clause.group.lemma == "be" && clause.group.tense == Tense::None;
    Clause { mode: if ordered { Mode::Ordered } else { Mode::Told }, ..clause }
}

fn is_comma(line: &Line<'_, '_>, chunks: &[Chunk<'_>], at: usize) -> bool {
    matches!(chunks.get(at), Some(Chunk::Word(word)) if line.tag(*word) == Some(Tag::Comma))
}

fn word_is(line: &Line<'_, '_>, chunks: &[Chunk<'_>], at: usize, tag: Tag) -> bool {
    matches!(chunks.get(at), Some(Chunk::Word(word)) if line.tag(*word) == Some(tag))
}

/// The chunks of the subject whose last noun phrase is at a place, and the first chunk of it: "the price of oil", "Ann and Bo".
fn subject_ending_at(line: &Line<'_, '_>, chunks: &[Chunk<'_>], last: usize, found: &[Clause<'_>]) -> (Vec<usize>, usize) {
    let floor = found.last().map_or(0, |clause| clause.group.to);
    let is_np = |at: usize| matches!(chunks.get(at), Some(Chunk::Np(_))) && chunks.get(at).is_some_and(|chunk| chunk.from() >= floor);
    let pronoun = matches!(chunks.get(last), Some(Chunk::Np(np)) if np.pronoun);
    let mut head = last;
    while !pronoun && head >= 2 && word_is(line, chunks, head - 1, Tag::Prep) && is_np(head - 2) {
        head -= 2;
    }
    // "In Rome Ann works": a phrase that a preposition leads is no subject.
    if head >= 1 && word_is(line, chunks, head - 1, Tag::Prep) {
        return (Vec::new(), head);
    }
    let mut subjects = vec![head];
    let mut first = head;
    // "Ann, Bo and Cy": only where no verb came before that could have them as objects.
    while first >= 2
        && (!pronoun_at(chunks, first) || first == last)
        && (word_is(line, chunks, first - 1, Tag::And) || is_comma(line, chunks, first - 1) && subjects.len() > 1)
        && is_np(first - 2)
        && floor == 0
    {
        first -= 2;
        subjects.insert(0, first);
    }
    (subjects, first)
}

fn pronoun_at(chunks: &[Chunk<'_>], at: usize) -> bool {
    matches!(chunks.get(at), Some(Chunk::Np(np)) if np.pronoun)
}

/// The noun phrase before what stands between two commas (or brackets, or dashes), the later of which is at a place.
fn before_apposition(line: &Line<'_, '_>, chunks: &[Chunk<'_>], close: usize) -> Option<usize> {
    const LONGEST: usize = 14;
    let opens = |at: usize| is_comma(line, chunks, at) || word_is(line, chunks, at, Tag::Mark);
    let bracketed = matches!(chunks.get(close), Some(Chunk::Word(word)) if line.lower(*word) == ")");
    let opens =
        |at: usize| if bracketed { matches!(chunks.get(at), Some(Chunk::Word(word)) if line.lower(*word) == "(") } else { opens(at) };
    let open = (close.saturating_sub(LONGEST)..close).rev().find(|at| opens(*at))?;
    let inside = chunks.get(open + 1..close)?;
    let first = inside.first()?;
    let relative = word_is(line, chunks, open + 1, Tag::Wh)
        || matches!(first, Chunk::Np(Np { owner: Some(_), .. }) if line.lower(first.from()) == "whose");
    let participle = matches!(first, Chunk::Vg(group) if group.reduced);
    let plain = !inside.iter().any(|chunk| matches!(chunk, Chunk::Vg(_)));
    if !(relative || participle || plain || bracketed) || open == 0 {
        return None;
    }
    match chunks.get(open - 1) {
        Some(Chunk::Np(np)) if !np.pronoun => Some(open - 1),
        _ => None,
    }
}

/// A told clause, or one that an "if" leads.
fn supposed<'g>(line: &Line<'_, 'g>, chunks: &[Chunk<'g>], first: usize, clause: Clause<'g>) -> Clause<'g> {
    let mut at = first;
    while at > 0
        && let Some(Chunk::Word(word)) = chunks.get(at - 1)
        && matches!(line.tag(*word), Some(Tag::Adv | Tag::Time | Tag::Comma))
    {
        at -= 1;
    }
    let leads = |at: usize| match chunks.get(at) {
        Some(Chunk::Word(word)) => matches!(line.lower(*word), "if" | "unless" | "whether"),
        _ => false,
    };
    let mode = if at > 0 && leads(at - 1) { Mode::Supposed } else { Mode::Told };
    Clause { mode, ..clause }
}

/// A clause whose verb stands before its subject: "do you live", "is she here". With the chunk of the full verb, which it takes in.
fn inverted<'g>(line: &Line<'_, 'g>, chunks: &[Chunk<'g>], place: usize, group: &Vg<'g>) -> Option<(Clause<'g>, Option<usize>)> {
    if !group.bare || group.tense == Tense::None {
        return None;
    }
    let mut at = place + 1;
    while let Some(Chunk::Word(word)) = chunks.get(at)
        && matches!(line.tag(*word), Some(Tag::Adv | Tag::Not))
    {
        at += 1;
    }
    let Some(Chunk::Np(subject)) = chunks.get(at) else { return None };
    let mut clause =
        Clause { group: *group, subjects: vec![at], shared: false, mode: Mode::Asked, from: group.from, rest: (subject.to, subject.to) };
    let mut next = at + 1;
    while let Some(Chunk::Word(word)) = chunks.get(next)
        && matches!(line.tag(*word), Some(Tag::Adv))
    {
        next += 1;
    }
    match chunks.get(next) {
        Some(Chunk::Vg(full)) if !full.bare => {
            let tense = group.tense;
            let perfect = group.lemma == "have";
            let progressive = matches!(line.verb(full.main), Some((_, Form::Ing)));
            let passive = group.lemma == "be" && !progressive;
            clause.group = Vg {
                from: group.from,
                tense,
                perfect,
                progressive,
                passive,
                reduced: false,
                negated: group.negated,
                unreal: group.unreal,
                ..*full
            };
            clause.rest = (full.to, full.to);
            Some((clause, Some(next)))
        }
        _ if matches!(group.lemma, "be" | "have") => Some((clause, None)),
        _ => Some((clause, None)),
    }
}
