//! The guards of English: which readings to leave alone because of what stands beside them ("may", "march on", a version number).
//! Knows nothing of which granule an expression comes to mean.

use super::figures::{clock_stands, is_counted, length_stands, ordinal_stands, to_the_hour_of_things, year_stands};
use super::time;
use super::{habit, is_past, names};
use crate::time::expr::calendar::Grain;
use crate::time::expr::lang::Rules;
use crate::time::expr::lang::digits::is_fraction;
use crate::time::expr::lang::parse::In;
use crate::time::expr::lexicon::Atom;
use crate::time::expr::symbol::{Bound, Clock, Fields, Meridian, Node, Section, Which};
use crate::time::expr::token::{Kind, Token};

/// Digits beside another script are of its language, which knows what they count: "2000円".
pub(super) fn is_of_other_script(before: &[Token<'_>], read: In<'_>, next: Option<&Token<'_>>) -> bool {
    let glyph = |token: &Token<'_>| matches!(token.kind, Kind::Glyph | Kind::Number { digits: 0, .. });
    let beside = next.is_some_and(glyph) || before.last().is_some_and(glyph) && read.first().is_some_and(|first| first.glued);
    beside && read.iter().all(|token| matches!(token.kind, Kind::Number { .. } | Kind::Mark(_)))
}

/// Whether what was read is a time where it stands.
pub(super) fn allowed(before: &[Token<'_>], read: In<'_>, rest: In<'_>, node: &Node, rules: Rules) -> bool {
    let previous = before.last();
    let (Some(first), Some(last)) = (read.first(), read.last()) else { return false };
    if rules.whole && before.is_empty() && rest.is_empty() {
        return true;
    }
    let next = rest.first();
    // Articles and prepositions that belong to the sentence.
    let how = previous.is_some_and(|previous| {
        ["how", "what", "but", "talk", "talking", "think", "thinking", "know", "hear", "heard"].iter().any(|word| previous.is(word))
    });
    if !rules.whole
        && (first.is("the") && leaves_article(node) && !["after", "before", "that"].iter().any(|word| last.is(word))
            || how && first.is("about")
            || first.is("at")
                && (!node.grain().is_clock()
                    || read.get(1..).is_some_and(|after| time::clock(after).is_ok() || time::military(after).is_ok())
                        && !read.iter().any(|token| token.is_mark('.')))
            || first.is("one") && matches!(node, Node::Date(_)))
    {
        return false;
    }
    // "the second night", "the first lunch" count from no date.
    let counted = |node: &Node| matches!(node, Node::And(day, part) if matches!((&**day, &**part), (Node::Date(Fields { day: Some(_), month: None, weekday: None, year: None, .. }), Node::Part(_))));
    let counts = match node {
        Node::Open(_, of) => counted(of),
        node => counted(node),
    };
    if !rules.whole && counts && read.iter().all(|token| token.number().is_none()) {
        return false;
    }
    if first.is_mark('=') && !before.is_empty() {
        return false;
    }
    if !rules.whole
        && (names::is_title(previous, read, next, node)
            || names::is_called(previous, read, rest, node)
            || names::is_quoted(before, read, next, node)
            || names::is_share(before, read, rest)
            || names::is_numbered(before, read, next, node)
            || names::is_of_far_year(rest, node))
    {
        return false;
    }
    if !rules.whole
        && is_fraction(read, previous, next.is_some_and(|next| next.is("of") || is_noun(next)) && !previous.is_some_and(|on| on.is("on")))
    {
        return false;
    }
    // Identifiers and markup.
    let joins = |token: &Token<'_>| matches!(token.kind, Kind::Mark('_' | '=' | '<' | '\\'));
    if !rules.whole
        && (first.glued && previous.is_some_and(joins) || next.is_some_and(|next| next.glued && next.is_mark('_')))
        && !first.is_mark('<')
    {
        return false;
    }
    // Parts of longer numbers, codes and names: "138-2010-2015", "$12", "v1.2", "A1B2", "3rdparty", "#2019".
    if first.number().is_some() {
        let inside = previous.is_some_and(|previous| {
            first.glued
                && (previous.kind == Kind::Word
                    || matches!(previous.kind, Kind::Mark('$' | '€' | '£' | '#' | '+' | '_' | '@' | '^'))
                    // A star between numbers multiplies, else it stresses.
                    || previous.is_mark('*') && before.len().checked_sub(2).and_then(|at| before.get(at)).is_some_and(|more| more.number().is_some())
                    || matches!(previous.kind, Kind::Mark('-' | '.' | '/' | ':' | ','))
                        && previous.glued
                        && before.len() >= 2
                        && before
                            .get(before.len() - 2)
                            .is_some_and(|more| more.number().is_some() && !matches!(previous.kind, Kind::Mark(':'))))
        });
        let long = first.number().is_some_and(|(_, digits)| digits == 8);
        let path = previous.is_some_and(|previous| matches!(previous.kind, Kind::Mark('-' | '/' | '.' | '_')));
        if inside
            && !(path
                && is_full_date(node)
                && before.len().checked_sub(2).and_then(|at| before.get(at)).is_none_or(|more| more.number().is_none()))
            && !long
        {
            return false;
        }
        if previous.is_some_and(|previous| previous.is_mark('$') || previous.is_mark('£') || previous.is_mark('€')) {
            return false;
        }
    }
    if last.number().is_some()
        && let Some(next) = next
        && next.glued
    {
        let more = rest.get(1).is_some_and(|more| more.glued && (more.number().is_some()));
        // "the 12-month deadline"
        let counts =
            next.is_mark('-') && rest.get(1).is_some_and(|more| more.glued && more.atoms.iter().any(|atom| matches!(atom, Atom::Unit(..))));
        if counts && !is_full_date(node) {
            return false;
        }
        if next.is_mark('%')
            || next.kind == Kind::Word && !next.is("'s")
            || more && matches!(next.kind, Kind::Mark('-' | '.' | '/' | ':' | ',')) && !is_full_date(node)
        {
            return false;
        }
    }
    bare(before, read, rest, node, rules)
}

/// Whether a word is none of those that join and begin phrases, and none of time.
pub(super) fn is_noun(token: &Token<'_>) -> bool {
    token.kind == Kind::Word && token.atoms.is_empty() && !FUNCTION.iter().any(|word| token.is(word))
}

/// "She finished it within two weeks": so long it took, which begins with no present day.
pub(super) fn took(before: &[Token<'_>], read: In<'_>) -> bool {
    let clause = before.iter().rev().take_while(|token| !matches!(token.kind, Kind::Mark('.' | '!' | '?' | '\n' | ';')));
    let mut verbs = clause.filter_map(|token| {
        let to_come = token.atoms.contains(&Atom::FutureVerb) || ["to", "can", "must", "should", "be"].iter().any(|word| token.is(word));
        if to_come { Some(false) } else { (token.atoms.contains(&Atom::PastVerb) || is_past(None, token)).then_some(true) }
    });
    read.first().is_some_and(|first| first.is("within")) && verbs.next() == Some(true)
}

/// "We moved lunch from Monday to Friday": two dates, and nothing that lasts from one to the other.
pub(super) fn is_moved(before: &[Token<'_>], input: In<'_>) -> bool {
    const MOVES: &[&str] = &[
        "move",
        "moved",
        "moving",
        "moves",
        "reschedule",
        "rescheduled",
        "rescheduling",
        "postpone",
        "postponed",
        "postponing",
        "shift",
        "shifted",
        "shifting",
        "pushed",
        "pushing",
        "change",
        "changed",
        "changing",
        "delayed",
        "delaying",
    ];
    let within = |token: &&Token<'_>| !matches!(token.kind, Kind::Mark('.' | '!' | '?' | '\n' | ';' | ':'));
    let from = |token: Option<&Token<'_>>| token.is_some_and(|token| token.is("from"));
    (from(input.first()) || from(before.last()))
        && before.iter().rev().take_while(within).any(|token| MOVES.iter().any(|word| token.is(word)))
}

/// "Last 20 minutes: questions", heading a line of an agenda: so long at the end of it, not before now.
pub(super) fn heads_an_agenda(before: &[Token<'_>], rest: In<'_>, node: &Node) -> bool {
    let Node::Window { count, grain, .. } = node else { return false };
    let short = *grain <= Grain::Minute || *grain == Grain::Hour && *count <= 6;
    let plain = |token: &&Token<'_>| !token.is_mark('*') && !token.is_mark('_');
    let opens = before.iter().rev().filter(plain).find(|token| {
        let item = matches!(token.kind, Kind::Mark('-' | '#' | '•' | '.' | ')' | '|')) || token.number().is_some();
        !item
    });
    short && opens.is_none_or(|opens| opens.is_mark('\n')) && rest.iter().find(plain).is_some_and(|next| next.is_mark(':'))
}

/// Whether a weekday stands in the cell of a table beside that of its date: "| 9 March 2023 | Thu |".
fn beside_its_date(before: &[Token<'_>], rest: In<'_>) -> bool {
    let dated = |cell: &mut dyn Iterator<Item = &Token<'_>>| {
        let (mut numbers, mut month) = (0, false);
        for token in cell.take_while(|token| !matches!(token.kind, Kind::Mark('|' | '\n'))) {
            numbers += usize::from(token.number().is_some());
            month |= token.atoms.iter().any(|atom| matches!(atom, Atom::Month(_)));
        }
        numbers >= 3 || month && numbers >= 1
    };
    let (Some((wall, cell)), Some((other, _))) = (before.split_last(), rest.split_first()) else { return false };
    wall.is_mark('|') && other.is_mark('|') && (dated(&mut cell.iter().rev()) || dated(&mut rest.iter().skip(1).take(8)))
}

/// Whether an expression begins a list of arguments in code: `date(2024, 4, 5)`.
fn is_argument(before: &[Token<'_>]) -> bool {
    matches!(before, [.., name, bracket] if bracket.is_mark('(') && bracket.glued && name.kind == Kind::Word)
}

/// Whether it is a weekday, with a time of day or without.
pub(super) fn is_weekday(node: &Node) -> bool {
    match node {
        Node::Date(fields) => fields.is_bare_weekday(),
        Node::And(day, time) => is_weekday(day) && time.grain().is_clock(),
        _ => false,
    }
}

/// Whether a "the" before it is of the sentence: "the next week", but "the 4th", "the day before yesterday".
fn leaves_article(node: &Node) -> bool {
    match node {
        Node::This(grain, offset) => !matches!(grain, Grain::Day | Grain::Decade) && matches!(offset, -1 | 1),
        Node::Anaphora(of) => match &**of {
            Node::This(grain, _) => *grain > Grain::Day,
            _ => false,
        },
        Node::Section(section, _) => *section != Section::Close,
        Node::Date(fields) => fields.day.is_none() && fields.weekday.is_none(),
        // "The three days before Christmas" are all of them, "three days before Christmas" the first.
        Node::Within { base: Some(_), .. } => false,
        Node::Window { .. } | Node::Within { .. } | Node::Week(_) | Node::Holiday(_) | Node::Rel(..) => true,
        Node::And(one, other) => matches!(**other, Node::Week(_) | Node::Holiday(_)) || matches!(**one, Node::Week(_) | Node::Holiday(_)),
        Node::Near(of) => leaves_article(of),
        _ => false,
    }
}

fn is_full_date(node: &Node) -> bool {
    matches!(node, Node::Date(Fields { year: Some(_), month: Some(_), day: Some(_), .. }))
}

/// Guards on words that are times only in company.
fn bare(before: &[Token<'_>], read: In<'_>, rest: In<'_>, node: &Node, rules: Rules) -> bool {
    let previous = before.last();
    let next = rest.first();
    let first = read.first();
    let is_previous = |words: &[&str]| previous.is_some_and(|token| words.iter().any(|word| token.is(word)));
    let is_next = |words: &[&str]| next.is_some_and(|token| words.iter().any(|word| token.is(word)));
    // "Tomorrow never dies": what a day does is no time.
    if let (Node::This(Grain::Day, -1 | 1), true) = (node, read.len() == 1)
        && previous.is_none_or(|token| matches!(token.kind, Kind::Mark(_)))
        && (is_next(&["never", "always"])
            && rest.get(1).is_some_and(|verb| verb.kind == Kind::Word && verb.atoms.is_empty() && verb.norm.ends_with('s'))
            || is_next(&["dies", "belongs", "knows", "comes", "waits", "awaits"]))
    {
        return false;
    }
    match node {
        // "7ish" is an hour where something says that it is one.
        Node::Near(of)
            if matches!(&**of, Node::Clock(Clock { minute: None, meridian: Meridian::Either, .. }))
                && read.len() <= 3
                && read.last().is_some_and(|token| token.is("ish")) =>
        {
            is_previous(&["at", "by", "until", "till", "before", "after", "from", "to", "around", "about", "'s", "is", "say", "maybe"])
                || first.is_some_and(|first| first.is("around") || first.is("about") || first.is("at"))
        }
        // "version ['18].x", "in '18'"
        Node::Date(fields) if is_year(*fields) && read.len() == 2 && first.is_some_and(|first| first.is_mark('\'')) => {
            !next.is_some_and(|next| {
                next.glued
                    && (next.kind == Kind::Word || next.is_mark('\'') || next.is_mark('.') && rest.get(1).is_some_and(|more| more.glued))
            })
        }
        Node::Date(fields) if is_year(*fields) && read.len() == 1 => !is_argument(before) && year_stands(before, first, next, rest),
        // "about 2000 steps", "after 2000 votes"
        Node::Near(of) | Node::Open(_, of) if matches!(&**of, Node::Date(fields) if is_year(*fields)) => {
            let value = read.last().and_then(Token::number);
            let counts = value.is_some_and(|(value, count)| {
                count == 4
                    && next.is_some_and(|next| is_counted(value, next, rest.get(1)) || matches!(node, Node::Near(_)) && is_noun(next))
            });
            !counts
        }
        Node::Date(Fields { month: Some(month), day: None, year: None, weekday: None, .. }) if read.len() <= 2 => {
            rules.whole || names::month_stands(*month, before, read, rest)
        }
        // "This may or may not be right."
        Node::Rel(Which::This, of) if matches!(**of, Node::Date(Fields { month: Some(5), day: None, .. })) => next.is_none_or(|next| {
            let joined = ["to", "and", "or", "through", "until"].iter().any(|word| next.is(word));
            matches!(next.kind, Kind::Mark(_)) || joined && read.last().is_some_and(Token::is_capital)
        }),
        // "in Oslo 2010-15", and no number of a part
        Node::Range(from, to)
            if read.len() == 3 && [from, to].iter().all(|end| matches!(&***end, Node::Date(fields) if is_year(*fields))) =>
        {
            let short = last_digits(read) == Some(2) && read.get(1).is_some_and(|mark| mark.is_mark('-'));
            !short || previous.is_some_and(|previous| previous.kind == Kind::Word || previous.is_mark('(') || previous.is_mark(','))
        }
        Node::Open(Bound::After, of) if matches!(**of, Node::Shift { base: None, .. }) => rules.whole,
        Node::Open(Bound::Until, _) if first.is_some_and(|token| token.is("to")) => {
            !is_previous(&["up", "equal", "equals", "how"]) && next.is_none_or(|next| matches!(next.kind, Kind::Mark(_)))
        }
        Node::This(_, 0) if first.is_some_and(|token| token.is("the")) => {
            next.is_none_or(|next| next.number().is_none())
                && !(is_next(&["of"]) && rest.get(1).is_some_and(|more| more.number().is_some()))
        }
        // "will last three weekends"
        Node::Week(_) => rules.numbered_weeks,
        Node::And(year, week) if matches!((&**year, &**week), (Node::This(Grain::Year, 0), Node::Week(_))) => rules.numbered_weeks,
        // "haven't talked in a few days"
        Node::Shift { base: None, forward: true, .. } if first.is_some_and(|token| token.is("in")) => {
            // "work in 1-hour blocks"
            if read.iter().any(|token| token.is_mark('-')) && next.is_some_and(is_noun) {
                return false;
            }
            let clause = || before.iter().rev().take_while(|token| !matches!(token.kind, Kind::Mark('.' | '!' | '?' | '\n' | ';')));
            let never = clause().take(5).any(|token| ["'t", "not", "never", "first", "longest"].iter().any(|word| token.is(word)));
            // "ran it in 40 minutes" took so long; "said he would be back in 40 minutes" is to come.
            let verb = clause().find_map(|token| {
                let to_come = token.atoms.contains(&Atom::FutureVerb)
                    || ["to", "be", "'d", "would", "is", "are", "due", "'s", "'re"].iter().any(|word| token.is(word));
                if to_come { Some(false) } else { (token.atoms.contains(&Atom::PastVerb) || is_past(None, token)).then_some(true) }
            });
            !never && verb != Some(true)
        }
        // "one last day" together
        Node::Window { which: Which::Last, .. }
            if read.get(1).is_some_and(|token| token.is("last")) && first.is_some_and(|token| token.is("one")) =>
        {
            false
        }
        Node::Window { which: Which::Last, .. } if first.is_some_and(|token| token.is("last")) => {
            // "talks that last an hour", "they last about a week"
            let verb = read.get(1).is_some_and(|token| ["about", "around", "approximately"].iter().any(|word| token.is(word)));
            !verb
                && !is_previous(&["that", "which", "they", "will", "would", "can", "could", "to", "should", "may", "might", "'ll", "shall"])
        }
        // "Sun" and "sat" are words.
        Node::Date(Fields { weekday: Some(_), month: None, day: None, year: None, .. }) if read.len() <= 2 => {
            let word = first.map_or("", |token| token.norm.as_ref());
            let risky = matches!(word, "sun" | "sat" | "wed" | "mon" | "thu" | "fri");
            let capital = first.is_some_and(Token::is_capital);
            let sure = is_previous(&["on", "next", "last", "every", "until", "till"]);
            let joined = is_previous(&["by", "this", "since", "and", "or", "for", "from", "to", ","]);
            let by_preposition = sure || joined && (capital || !matches!(word, "sun" | "sat"));
            let marked = previous.is_none_or(|token| matches!(token.kind, Kind::Mark(_)))
                && next.is_none_or(|token| matches!(token.kind, Kind::Mark(_)));
            // "monday.com"
            let site = matches!(rest, [dot, name, ..] if dot.glued && dot.is_mark('.') && name.glued && name.kind == Kind::Word);
            !site
                && !is_next(&["times", "school", "roast", "best"])
                && (!risky || by_preposition || marked)
                && !beside_its_date(before, rest)
        }
        Node::Date(Fields { day: Some(_), month: None, weekday: None, year: None, .. }) => ordinal_stands(previous, read, rest),
        // "until the 23rd guest"
        Node::Open(_, of)
            if matches!(**of, Node::Date(Fields { day: Some(_), month: None, weekday: None, year: None, .. }))
                && next.is_some_and(is_noun) =>
        {
            false
        }
        Node::Season(_) => {
            let word = read.last().map_or("", |token| token.norm.as_ref());
            let led =
                is_previous(&["in", "this", "last", "next", "of", "since", "until", "by", "during", "every", "the", "past", "'s", "that"]);
            let noun = next.is_some_and(|next| next.kind == Kind::Word && !FUNCTION.iter().any(|word| next.is(word)));
            // "during winter evenings", "the summer months": of any year.
            if read.len() <= 2
                && next.is_some_and(|next| {
                    next.norm.ends_with('s') && next.atoms.iter().any(|atom| matches!(atom, Atom::Part(_) | Atom::Unit(..)))
                })
            {
                return false;
            }
            match word {
                "fall" => led && !is_previous(&["the", "of", "by"]) && !is_next(&["in", "into", "for", "of"]),
                "spring" => led && !is_next(&["of", "in", "from", "broke", "breaks", "snapped", "snaps", "bounced", "coil", "water"]),
                // "the city's winter climate"
                _ => !noun || led && !is_previous(&["'s"]),
            }
        }
        Node::Clock(clock) => {
            let power = next.is_some_and(|next| next.glued && next.is_mark('^'));
            !power
                && clock_stands(*clock, read, previous)
                && !to_the_hour_of_things(before, read, next)
                && !names::is_ratio(before, *clock, read, rest)
        }
        // "from 5 to 10 people"
        Node::Open(Bound::Since, of) if matches!(**of, Node::Clock(_)) && read.iter().any(|token| token.is("to")) => false,
        // "in my thirties", "highs in the 80s"
        Node::ShortDecade(_) => !names::is_age(before),
        Node::Section(_, of) if matches!(**of, Node::ShortDecade(_)) => !names::is_age(before),
        Node::SeasonAway(_) => names::season_stands(before, rest),
        // "line two tomorrow"
        Node::And(_, time) if matches!(&**time, Node::Clock(Clock { minute: None, meridian: Meridian::Either, .. })) => {
            first.is_none_or(|first| first.number().is_none() && !first.atoms.iter().any(|atom| matches!(atom, Atom::Cardinal(_))))
                || !previous.is_some_and(names::is_numbering)
        }
        Node::Zoned(inner, _) => !matches!(&**inner, Node::Clock(Clock { minute: None, meridian: Meridian::Either, .. })),
        Node::Near(of) => !matches!(**of, Node::Season(_) | Node::Holiday(_) | Node::Part(_)),
        // "a late-night session"
        Node::Section(_, of) if matches!(**of, Node::Part(_)) => {
            let modifies = read.get(1).is_some_and(|token| token.is_mark('-')) && next.is_some_and(is_noun);
            let many = read.last().is_some_and(|token| token.norm.ends_with("ghts") || token.norm.ends_with("gs"));
            !modifies && !many
        }
        // "every 0 days"
        Node::Length(length) if length.is_nothing() && is_previous(&["every", "each"]) => false,
        Node::Length(_) => length_stands(previous, read, rest),
        Node::Every { .. } => {
            // "escape the everyday"
            // "everyday life", "escape the everyday"
            if read.len() == 1 && first.is_some_and(|token| token.is("everyday")) && (is_previous(&["the"]) || next.is_some_and(is_noun)) {
                return false;
            }
            // "I write evenings"; elsewhere they are those of something, or of any day.
            if first.is_some_and(|first| first.atoms.iter().any(|atom| matches!(atom, Atom::Part(_)))) {
                return is_previous(habit::HABITS)
                    || previous.is_some_and(|and| and.is("and"))
                        && before.iter().rev().nth(1).is_some_and(|one| one.norm.ends_with("ings"));
            }
            let wage = read.len() == 1 && is_next(&["rate", "rates", "wage", "wages", "pay", "paid"]);
            !wage && (!is_next(&["one", "of"]) || read.len() > 1)
        }
        // "</h1>"
        Node::Half(_) => {
            !first.is_some_and(|first| first.glued && previous.is_some_and(|token| matches!(token.kind, Kind::Mark('/' | '<'))))
        }
        // "the morning of the race"
        Node::Part(_) if is_next(&["of"]) => false,
        Node::Part(_) if read.len() == 1 => {
            let word = first.map_or("", |token| token.norm.as_ref());
            let noun = |token: Option<&Token<'_>>| {
                token.is_some_and(|token| token.kind == Kind::Word && !FUNCTION.iter().any(|word| token.is(word)) && token.atoms.is_empty())
            };
            let greeting = previous.is_none_or(|token| matches!(token.kind, Kind::Mark('.' | '!' | '\n')))
                && next.is_some_and(|next| next.is_mark(','));
            let led = is_previous(&[
                "in", "at", "during", "this", "that", "the", "on", "before", "after", "until", "till", "by", "since", "from", "around",
                "to",
            ]);
            // "Dawn" is a name.
            if word == "dawn" && (!led || is_previous(&["to", "from"]) && first.is_some_and(Token::is_capital)) {
                return false;
            }
            let owned = is_previous(&["my", "your", "his", "her", "our", "their", "good", "a", "all", "every"]);
            let counted =
                previous.is_some_and(|token| token.number().is_some() || token.atoms.iter().any(|atom| matches!(atom, Atom::Cardinal(_))));
            // "date night"
            let outing = word == "night" && is_previous(&["date"]);
            let spoiled =
                greeting || outing || !led && next.is_some_and(is_noun) || is_previous(&["good", "all", "every"]) || owned && noun(next);
            !spoiled && (counted || !noun(previous) && !word.ends_with('s'))
        }
        Node::Weekend if read.len() == 1 && habit::is_some_weekend(before) => false,
        Node::Weekend => {
            !(previous.is_none_or(|token| token.kind == Kind::Word || matches!(token.kind, Kind::Mark('*' | '\n' | '.' | '-' | '#')))
                && read.len() == 1
                && next.is_some_and(|next| next.kind == Kind::Word && !FUNCTION.iter().any(|word| next.is(word))))
        }
        // "Date.now()", "reset(now)"
        Node::Now => {
            let member = previous.is_some_and(|previous| previous.is_mark('.')) && first.is_some_and(|first| first.glued);
            // "Now, let us see": no time, but what comes next.
            let opens = previous.is_none_or(|token| matches!(token.kind, Kind::Mark('.' | '!' | '?' | '\n' | ':' | ']' | '-' | '"' | '“')));
            let discourse = opens && read.len() == 1 && next.is_some_and(|next| next.is_mark(','));
            // "let now = clock.read()"
            let named = next.is_some_and(|next| next.is_mark('='))
                || is_previous(&["const", "var"])
                || previous.is_some_and(|previous| previous.is_mark('('))
                    && next.is_some_and(|next| matches!(next.kind, Kind::Mark('-' | '+')));
            let name = first.is_some_and(|first| first.is_capital() && !first.glued)
                && previous.is_some_and(Token::is_capital)
                && next.is_some_and(|next| next.is_capital() && is_noun(next));
            !name && !is_next(&["that"]) && !member && !discourse && !named && !is_argument(before)
        }
        // "date.today()"
        Node::This(Grain::Day, 0) if read.len() == 1 => {
            !(previous.is_some_and(|previous| previous.is_mark('.'))
                && first.is_some_and(|first| first.glued)
                && next.is_some_and(|next| next.is_mark('(')))
        }
        // "Five years on, we met": at the start of a clause, or the years are on something.
        Node::Anaphora(inner) if matches!(&**inner, Node::Shift { .. }) && read.last().is_some_and(|token| token.is("on")) => {
            previous.is_none_or(|previous| matches!(previous.kind, Kind::Mark(_)))
        }
        Node::Anaphora(inner) => match &**inner {
            Node::This(grain, 0) => *grain > Grain::Day || first.is_some_and(|token| token.is("same")) || read.len() > 1,
            _ => true,
        },
        _ => true,
    }
}

/// How many digits the last number has.
fn last_digits(read: In<'_>) -> Option<u8> {
    read.last().and_then(Token::number).map(|(_, count)| count)
}

/// Whether the year is all that is said.
fn is_year(fields: Fields) -> bool {
    fields.year.is_some() && fields.day.is_none() && fields.weekday.is_none() && fields.month.is_none()
}

/// Words that do not make a number before them a count.
pub(super) const FUNCTION: &[&str] = &[
    "and", "or", "but", "is", "was", "were", "are", "be", "will", "would", "should", "could", "can", "may", "might", "did", "do", "does",
    "had", "has", "have", "the", "a", "an", "to", "by", "for", "from", "in", "on", "at", "of", "as", "with", "when", "where", "while",
    "because", "if", "so", "then", "that", "which", "who", "i", "we", "you", "he", "she", "they", "it", "my", "our", "your", "his", "her",
    "their", "this", "these", "until", "till", "through", "since", "after", "before", "not", "no", "also", "just", "only", "up", "about",
    "into", "due", "sales", "music", "bonus", "us", "them", "me", "him", "here", "there", "again", "all", "both", "out", "off", "than",
    "'s", "'ll", "'d", "season", "budget", "edition", "report", "some", "text",
];

/// Whether "the next month" is the one after what was told before, rather than the one to come.
pub(super) fn is_told(before: &[Token<'_>], read: In<'_>, rest: In<'_>, node: &Node) -> bool {
    const REACH: usize = 12;
    let beside = match node {
        Node::This(grain, 1 | -1) => *grain >= Grain::Day,
        Node::Rel(Which::Next, of) => matches!(**of, Node::Part(_)),
        _ => false,
    };
    let named = read.iter().any(|token| token.is("next") || token.is("previous"));
    let the = read.first().is_some_and(|first| first.is("the")) || before.last().is_some_and(|previous| previous.is("the"));
    if !(beside && named && the) {
        return false;
    }
    let within = |token: &&Token<'_>| !matches!(token.kind, Kind::Mark('.' | '!' | '?' | '\n' | ';'));
    let mut verbs = rest.iter().take(REACH).take_while(within).chain(before.iter().rev().take_while(within));
    let past = verbs.find_map(|token| {
        if token.atoms.contains(&Atom::FutureVerb) {
            return Some(false);
        }
        (token.atoms.contains(&Atom::PastVerb) || is_past(None, token)).then_some(true)
    });
    past == Some(true)
}
