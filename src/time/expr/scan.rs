//! Reading a text from left to right: where expressions may begin, which language reads furthest, and what was spoken of before.
//! Knows nothing of any grammar.

use super::calendar::{Grain, Granule, date_of, weekday};
use super::context::{Context, Prefer};
use super::heading::Heading;
use super::lang::{Language, Parse, Rules};
use super::lexicon::Atom;
use super::mention::{Duration, Role, Sort, TimeMention, Value, sort, value};
use super::recur::Recurrence;
use super::resolve::{Form, Hit, MOST, Resolver};
use super::symbol::{Bound, Fields, Node, Year};
use super::token::{Kind, Token, tokenize};
use super::wording::{parse_duration, parse_set};
use crate::time::civil::DAY;
use crate::time::{Instant, Moment, parse_moment, parse_span};
use chrono::{Datelike, Weekday};

/// How many tokens on either side may hold the verb of an expression.
const REACH: usize = 12;

/// The widest granule that days are counted from.
const WIDEST: i64 = 15 * DAY;

/// How many tokens may lead to the first one that has to do with time.
const LEAD: usize = 5;

/// Every temporal expression of a text, in the order of their positions; no two overlap.
///
/// What only looks like a time ("may", "march on", "the second one", a version number) is left alone where its neighbours say so.
///
/// ```
/// use erstwhile::time::expr::{Context, Value, find};
/// use erstwhile::time::{Instant, Moment, Zone};
///
/// let said = Context::new(Instant::parse("2024-05-16T10:00:00Z")?, Zone::UTC);
/// let found = find("We met last Tuesday and moved in 2019.", &said);
/// let words: Vec<_> = found.iter().map(|mention| mention.span.clone()).collect();
/// assert_eq!(words, [7..19, 33..37]);
/// assert_eq!(found[0].value, Value::Moment(Moment::day(2024, 5, 14, &Zone::UTC)?));
/// # Ok::<(), erstwhile::time::TimeError>(())
/// ```
///
/// # Complexity
/// Linear in the text: at each token a bounded number of tokens is looked at.
#[must_use]
pub fn find(text: &str, context: &Context) -> Vec<TimeMention> {
    let context = &seen_from(context);
    let languages = languages(context);
    let tokens = tokenize(text);
    let near = distances(&tokens);
    let rules = rules(context, false);
    let mut mentions: Vec<TimeMention> = Vec::new();
    let mut spoken = Spoken::default();
    let mut counted = Position::default();
    let mut heading = Heading::default();
    let mut at = 0;
    while at < tokens.len() {
        let ahead = near.get(at).is_some_and(|distance| *distance <= LEAD);
        let read = if ahead { read_at(&tokens, at, &languages, rules) } else { None };
        let Some((language, parse)) = read else {
            if tokens.get(at).is_some_and(ends_sentence) {
                spoken.year = None;
            }
            heading.pass(&tokens, at);
            spoken.heading = heading;
            at += 1;
            continue;
        };
        let taken = parse.tokens.max(1);
        if let Some((mut mention, hit)) = mention(&parse, language, &tokens, at, context, spoken) {
            let (Some(first), Some(last)) = (tokens.get(at), tokens.get(at + taken - 1)) else { break };
            mention.bytes = first.start..last.end;
            mention.span = counted.at(text, first.start)..counted.at(text, last.end);
            spoken.hear(&parse.node, hit, context);
            spoken.until = hit.filter(|hit| hit.granule.grain == Grain::Day).map(|_| at + taken);
            if let Some(days) = hit.and_then(|hit| days_of(&parse.node, hit)) {
                heading.hear(&tokens, at, at + taken, days);
                spoken.heading = heading;
            }
            mentions.push(mention);
        }
        at += taken;
    }
    mentions
}

/// The one expression that a whole string is, prepositions and particles around it allowed; `None` if it is not one.
///
/// Reads the formal notations too: ISO 8601, EDTF, and what [`Moment`] and [`Span`](crate::time::Span) are displayed as.
///
/// ```
/// use erstwhile::time::expr::{Context, Value, parse_one};
/// use erstwhile::time::{Instant, Moment, Zone};
///
/// let said = Context::new(Instant::parse("2024-05-16T10:00:00Z")?, Zone::UTC);
/// let read = parse_one("来年の3月", &said).map(|mention| mention.value);
/// assert_eq!(read, Some(Value::Moment(Moment::month(2025, 3, &Zone::UTC)?)));
/// # Ok::<(), erstwhile::time::TimeError>(())
/// ```
#[must_use]
pub fn parse_one(text: &str, context: &Context) -> Option<TimeMention> {
    // A date with a time in the formal notation is exact where it has seconds, which words are not.
    if text.contains('[') || text.contains('T') && text.contains(':') {
        let read = formal(text, context);
        if read.is_some() {
            return read;
        }
    }
    let context = &seen_from(context);
    let languages = languages(context);
    let tokens = tokenize(text);
    let rules = rules(context, true);
    let mut best: Option<(Language, usize, Parse)> = None;
    for language in &languages {
        for start in 0..tokens.len().min(4) {
            let leads = tokens.iter().take(start).all(|token| language.leads(token));
            let (Some(before), Some(rest)) = (tokens.get(..0), tokens.get(start..)) else { break };
            if !leads {
                break;
            }
            let Some(parse) = language.read(before, rest, rules) else { continue };
            let trails = rest.get(parse.tokens..).is_some_and(|rest| rest.iter().all(|token| language.trails(token)));
            if trails && best.as_ref().is_none_or(|(_, _, other)| parse.tokens > other.tokens) {
                best = Some((*language, start, parse));
            }
        }
    }
    let read = best.and_then(|(language, start, parse)| {
        let (mut mention, _) = mention(&parse, language, &tokens, start, context, Spoken::default())?;
        let (first, last) = (tokens.get(start)?, tokens.get(start + parse.tokens - 1)?);
        let mut counted = Position::default();
        mention.bytes = first.start..last.end;
        mention.span = counted.at(text, first.start)..counted.at(text, last.end);
        Some(mention)
    });
    read.or_else(|| formal(text, context))
}

/// The context, its reference in the civil years: beyond them nothing is computed.
fn seen_from(context: &Context) -> Context {
    Context { reference: context.reference.clamp(Instant::MIN, Instant::MAX), ..*context }
}

/// A text in a formal notation.
fn formal(text: &str, context: &Context) -> Option<TimeMention> {
    let value = if let Some(set) = parse_set(text) {
        Value::Set(set)
    } else if let Some(duration) = parse_duration(text) {
        Value::Duration(duration)
    } else if let Ok(moment) = parse_moment(text, &context.zone) {
        Value::Moment(moment)
    } else {
        Value::Span(parse_span(Some(text), None, &context.zone).ok().filter(|_| text.contains('/'))?)
    };
    let (role, sort) = match value {
        Value::Duration(_) => (Role::For, Sort::Duration),
        Value::Span(_) => (Role::During, Sort::DateTimeRange),
        Value::Set(_) => (Role::Every, Sort::Set),
        Value::Moment(_) => (Role::At, Sort::DateTime),
    };
    Some(TimeMention {
        span: 0..text.chars().count(),
        bytes: 0..text.len(),
        value,
        alternatives: Vec::new(),
        role,
        sort,
        grain: Grain::Second,
        anchor: None,
        approximate: false,
        language: context.language.unwrap_or(Language::English),
    })
}

/// What was spoken of before, that later expressions may be relative to.
#[derive(Clone, Copy, Debug, Default)]
struct Spoken {
    /// The last day, or more.
    date: Option<Granule>,
    /// The last time of day since that.
    clock: Option<Granule>,
    /// The last date of a past year in this sentence, that named its year.
    year: Option<Granule>,
    /// The date that heads the lines.
    heading: Heading,
    /// Where the last day was said, as the token after it.
    until: Option<usize>,
}

impl Spoken {
    fn hear(&mut self, node: &Node, hit: Option<Hit>, context: &Context) {
        let Some(hit) = hit.filter(|hit| hit.form == Form::Point) else { return };
        let granule = hit.granule;
        if granule.grain >= Grain::Day {
            (self.date, self.clock) = (Some(granule), None);
        } else {
            self.clock = Some(granule);
            if names_day(node) {
                self.date = Granule::holding(granule.from, Grain::Day, Weekday::Mon);
            }
        }
        if names_year(node) && granule.from < context.zone.reading(context.reference) {
            self.year = Some(granule);
        }
    }

    /// What an expression is relative to: hours to the last time of day, all else to the last day.
    fn anchor(self, node: &Node) -> Option<Granule> {
        match node {
            Node::Anaphora(of) if matches!(&**of, Node::Shift { length, .. } if length.grain.is_clock()) => self.clock.or(self.date),
            _ => self.date,
        }
    }
}

/// Whether it says which year.
fn names_year(node: &Node) -> bool {
    match node {
        Node::Date(fields) => matches!(fields.year, Some(Year::Full(_))),
        Node::And(one, other) => names_year(one) || names_year(other),
        Node::Zoned(of, _) | Node::Near(of) => names_year(of),
        _ => false,
    }
}

/// Whether it says which day a time of day is on.
fn names_day(node: &Node) -> bool {
    match node {
        Node::And(one, _) => one.grain() >= Grain::Day || names_day(one),
        Node::Zoned(of, _) | Node::Near(of) => names_day(of),
        _ => false,
    }
}

/// The days that a plan beneath an expression is for: those it names, or the week that begins with the one it is from.
fn days_of(node: &Node, hit: Hit) -> Option<Granule> {
    let Granule { from, grain, .. } = hit.granule;
    match hit.form {
        Form::Point | Form::Range(..) if grain < Grain::Day => {
            names_day(node).then(|| Granule::holding(from, Grain::Day, Weekday::Mon)).flatten()
        }
        Form::Point | Form::Range(..) => Some(hit.granule),
        Form::Open(Bound::Since | Bound::Onward) if grain == Grain::Day => Some(Granule { from, to: from.checked_add(7 * DAY)?, grain }),
        Form::Open(_) => None,
    }
}

/// An expression with the date of the heading above it, if it leaves the date to that.
fn headed(node: &Node, heading: Heading) -> Option<Node> {
    let whole = |day: Granule| {
        let date = date_of(day.from)?;
        let (year, month, day) = (Some(Year::Full(date.year())), Some(date.month()), Some(date.day()));
        Some(Node::date(Fields { year, month, day, ..Fields::default() }))
    };
    match node {
        Node::Date(fields) if fields.is_bare_weekday() => whole(heading.weekday(weekday(fields.weekday?))?),
        Node::And(day, time) if names_no_day(time) => Some(headed(day, heading)?.and((**time).clone())),
        node if names_no_day(node) => Some(whole(heading.day()?)?.and(node.clone())),
        Node::Range(from, to) => Some(Node::Range(Box::new(headed(from, heading)?), Box::new(headed(to, heading)?))),
        _ => None,
    }
}

/// An expression with years of two figures, of the era that a year was last counted in: 昭和50年に生まれ、55年に越した.
fn of_last_era(node: &Node, tokens: &[Token<'_>], at: usize, context: &Context) -> Option<Node> {
    const BACK: usize = 64;
    const AHEAD: i32 = 5;
    let era = |token: &Token<'_>| token.find(|atom| if let Atom::Era(first) = atom { Some(first) } else { None });
    // Two figures after an apostrophe are of the common era.
    let plain = tokens.get(at).is_some_and(|token| token.number().is_some());
    let first = tokens.get(at.saturating_sub(BACK)..at).filter(|_| plain)?.iter().rev().find_map(era)?;
    let last = date_of(context.zone.reading(context.reference))?.year() + AHEAD;
    let counted = node.clone().of_era(first, last);
    (counted != *node).then_some(counted)
}

/// Whether it is a time of day, or a stretch of such, and says nothing of the day.
fn names_no_day(node: &Node) -> bool {
    match node {
        Node::Clock(_) | Node::Part(_) => true,
        Node::Range(one, other) | Node::And(one, other) => names_no_day(one) && names_no_day(other),
        Node::Section(_, of) | Node::Zoned(of, _) | Node::Near(of) | Node::Open(_, of) => names_no_day(of),
        _ => false,
    }
}

/// Whether it is a month or a day that leaves the year to the reader.
fn lacks_year(node: &Node) -> bool {
    match node {
        Node::Date(fields) => fields.year.is_none() && fields.weekday.is_none(),
        Node::And(day, time) => lacks_year(day) && time.grain().is_clock(),
        _ => false,
    }
}

fn ends_sentence(token: &Token<'_>) -> bool {
    matches!(token.kind, Kind::Mark('.' | '!' | '?' | '\n' | ';' | '。'))
}

/// Counts characters up to a byte, from the last byte it was asked for.
#[derive(Default)]
struct Position {
    byte: usize,
    chars: usize,
}

impl Position {
    fn at(&mut self, text: &str, byte: usize) -> usize {
        self.chars += text.get(self.byte..byte).map_or(0, |between| between.chars().count());
        self.byte = byte;
        self.chars
    }
}

fn languages(context: &Context) -> Vec<Language> {
    context.language.map_or_else(|| Language::ALL.to_vec(), |language| vec![language])
}

const fn rules(context: &Context, whole: bool) -> Rules {
    Rules {
        definite_unit: context.conventions.definite_unit,
        numbered_weeks: context.conventions.numbered_weeks,
        whole,
        only: context.language.is_some(),
    }
}

/// For each token, how far ahead the next one lies that has to do with time.
fn distances(tokens: &[Token<'_>]) -> Vec<usize> {
    let mut distances = vec![usize::MAX; tokens.len()];
    let mut next = usize::MAX;
    for (distance, token) in distances.iter_mut().zip(tokens).rev() {
        next = if token.is_temporal() { 0 } else { next.saturating_add(1) };
        *distance = next;
    }
    distances
}

/// Whether a number goes on a row of more numbers than a date or a time has, all joined by one mark: `1/2/3/4/5`.
fn goes_on_a_row(before: &[Token<'_>], token: &Token<'_>) -> bool {
    const ROW: usize = 6;
    let Some(Kind::Mark(joint)) = before.last().map(|mark| mark.kind) else { return false };
    let joins =
        |(place, token): (usize, &Token<'_>)| token.glued && if place % 2 == 0 { token.is_mark(joint) } else { token.number().is_some() };
    let numbers = token.glued && token.number().is_some() && matches!(joint, '/' | '-' | '.' | ':');
    numbers && before.len() > ROW && before.iter().rev().enumerate().take(ROW).all(joins)
}

/// What begins at a token, in the language that reads furthest; of two, the later one, which reads digits only among its own words.
fn read_at(tokens: &[Token<'_>], at: usize, languages: &[Language], rules: Rules) -> Option<(Language, Parse)> {
    let (token, rest) = (tokens.get(at)?, tokens.get(at..)?);
    let before = tokens.get(at.saturating_sub(8)..at)?;
    if goes_on_a_row(before, token) {
        return None;
    }
    let mut best: Option<(Language, Parse)> = None;
    for language in languages {
        if language.may_begin(token)
            && let Some(parse) = language.read(before, rest, rules)
            && best.as_ref().is_none_or(|(_, other)| parse.tokens >= other.tokens)
        {
            best = Some((*language, parse));
        }
    }
    best
}

/// A parse as a mention (without its place), and what it hit, that later expressions may be relative to.
fn mention(
    parse: &Parse,
    language: Language,
    tokens: &[Token<'_>],
    at: usize,
    context: &Context,
    spoken: Spoken,
) -> Option<(TimeMention, Option<Hit>)> {
    let empty = |value, role, sort, grain| TimeMention {
        span: 0..0,
        bytes: 0..0,
        value,
        alternatives: Vec::new(),
        role,
        sort,
        grain,
        anchor: None,
        approximate: false,
        language,
    };
    let glosses = spoken.until.is_some_and(|until| until + 1 == at) && tokens.get(at - 1).is_some_and(|before| before.is_mark('('));
    let headed = match &parse.node {
        // "6 May (next day)" says the same day twice.
        Node::Anaphora(of) if glosses && matches!(**of, Node::This(Grain::Day, _)) => {
            Some(Node::Anaphora(Box::new(Node::This(Grain::Day, 0))))
        }
        node if context.prefer == Prefer::Tense => headed(node, spoken.heading).or_else(|| of_last_era(node, tokens, at, context)),
        _ => None,
    };
    let node = headed.as_ref().unwrap_or(&parse.node);
    match node {
        Node::Length(length) => {
            let value = Value::Duration(Duration::from(*length));
            return Some((empty(value, Role::For, Sort::Duration, length.grain), None));
        }
        Node::Every { interval, grain, on } => {
            let value = Value::Set(Recurrence::new(*interval, *grain, on.as_deref()));
            return Some((empty(value, Role::Every, Sort::Set, *grain), None));
        }
        _ => {}
    }
    let prefer = match context.prefer {
        Prefer::Tense if node.is_fixed() => Prefer::Future,
        Prefer::Tense => tense(node, tokens, at, at + parse.tokens, language),
        prefer => prefer,
    };
    let anchor = spoken.anchor(node);
    // "In March 2020 he moved; the next day he quit": next to which of its days, nobody can tell.
    if context.prefer == Prefer::Tense && anchor.is_some_and(|anchor| anchor.width() > WIDEST && counts_days(node)) {
        return None;
    }
    let resolver = Resolver::new(context, anchor, prefer);
    let mut hits = resolver.readings(node);
    // "The next day he quit": next to a day that was spoken of elsewhere, for what has been is not to come.
    if anchor.is_none()
        && context.prefer == Prefer::Tense
        && is_anaphora(node)
        && hits.first().is_some_and(|hit| hit.granule.from > context.zone.reading(context.reference))
        && is_told(node, tokens, at, at + parse.tokens, language)
    {
        return None;
    }
    // "I came in June 2015, and in August I left": of that year, unless it is to come.
    if let Some(told) = spoken.year
        && context.prefer == Prefer::Tense
        && lacks_year(node)
        && !is_to_come(tokens, at + parse.tokens)
        && language.tense(&[], tokens.get(at + parse.tokens..).unwrap_or_default()) != Some(Prefer::Future)
        && let Some(hit) = resolver.after(told, node)
    {
        hits.retain(|other| *other != hit);
        hits.insert(0, hit);
        hits.truncate(MOST);
    }
    let mut values = hits.iter().filter_map(|hit| Some((*hit, value(*hit, context.zone, &context.conventions)?)));
    let (hit, (first, role, anchor)) = values.next()?;
    let mut alternatives: Vec<Value> = Vec::new();
    for (_, (other, ..)) in values {
        if other != first && !alternatives.contains(&other) {
            alternatives.push(other);
        }
    }
    let approximate = is_near(node);
    let mention = TimeMention { alternatives, anchor, approximate, ..empty(first, role, sort(node, hit), fineness(node, hit)) };
    Some((mention, Some(hit)))
}

/// Whether it is so many days or less from what was spoken of.
fn counts_days(node: &Node) -> bool {
    match node {
        Node::Anaphora(of) => {
            of.grain() <= Grain::Day && matches!(**of, Node::This(_, offset) if offset != 0)
                || matches!(&**of, Node::Shift { length, base: None, .. } if length.grain <= Grain::Day)
        }
        Node::And(one, other) => counts_days(one) || counts_days(other),
        Node::Near(of) | Node::Section(_, of) | Node::Open(_, of) => counts_days(of),
        _ => false,
    }
}

/// Whether it is relative to what was spoken of.
fn is_anaphora(node: &Node) -> bool {
    match node {
        Node::Anaphora(_) => true,
        Node::And(one, other) => is_anaphora(one) || is_anaphora(other),
        Node::Near(of) | Node::Section(_, of) | Node::Zoned(of, _) | Node::Open(_, of) => is_anaphora(of),
        _ => false,
    }
}

/// Whether a verb of the clause says that it has been.
fn is_told(node: &Node, tokens: &[Token<'_>], from: usize, to: usize, language: Language) -> bool {
    let (Some(before), Some(after)) = (tokens.get(from.saturating_sub(REACH)..from), tokens.get(to..)) else { return false };
    language.tense(before, after).or_else(|| verb(node, tokens, from, to, language)) == Some(Prefer::Past)
}

/// The grain in which the ends of a granule are told: of a part of a decade years, of a part of a year months.
fn fineness(node: &Node, hit: Hit) -> Grain {
    match node {
        Node::Open(_, of) | Node::Near(of) | Node::Zoned(of, _) | Node::Anaphora(of) | Node::Fiscal(of) => fineness(of, hit),
        Node::Section(_, of) if hit.granule.width() > DAY => match of.grain() {
            Grain::Century => Grain::Decade,
            Grain::Decade => Grain::Year,
            Grain::Year | Grain::Half | Grain::Quarter => Grain::Month,
            Grain::Week | Grain::Fortnight | Grain::Weekend => Grain::Day,
            _ => hit.granule.grain,
        },
        _ => hit.granule.grain,
    }
}

fn is_near(node: &Node) -> bool {
    match node {
        Node::Near(_) | Node::Lately(_) => true,
        Node::Open(_, of) | Node::Anaphora(of) => is_near(of),
        _ => false,
    }
}

/// What the clause around an expression prefers: the past beside a past tense, else the future; and where no verb tells, what is
/// nearer of dates and weekends, which are spoken of before and after.
fn tense(node: &Node, tokens: &[Token<'_>], from: usize, to: usize, language: Language) -> Prefer {
    let back = tokens.get(from..to).is_some_and(|read| read.iter().any(|token| language.looks_back(token)));
    if back && matches!(node, Node::Open(Bound::Since, _)) {
        return Prefer::Past;
    }
    let around = (tokens.get(from.saturating_sub(REACH)..from), tokens.get(to..));
    if let (Some(before), Some(after)) = around
        && let Some(told) = language.tense(before, after)
    {
        return told;
    }
    if let Node::Open(Bound::By | Bound::Until, of) = node {
        // Where the verb would stand behind it, none tells that it is past.
        let nearer = untold(of) == Prefer::Closest && !language.verb_is_last();
        return if nearer { Prefer::Closest } else { Prefer::Future };
    }
    verb(node, tokens, from, to, language).unwrap_or_else(|| untold(node))
}

/// Whether a verb of the future follows in the sentence, from a token on.
fn is_to_come(tokens: &[Token<'_>], from: usize) -> bool {
    let ahead = tokens.iter().skip(from).take(REACH).take_while(|token| !ends_sentence(token));
    ahead.into_iter().any(|token| token.atoms.contains(&Atom::FutureVerb))
}

/// What the verb of the clause around an expression prefers, if one tells.
fn verb(node: &Node, tokens: &[Token<'_>], from: usize, to: usize, language: Language) -> Option<Prefer> {
    let untold = untold(node);
    let lead = from.checked_sub(1).and_then(|at| tokens.get(at));
    let says = |at: usize| {
        let token = tokens.get(at)?;
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        if token.atoms.contains(&Atom::FutureVerb) {
            // Plans speak of dates on either side: "we plan to look at what you sent on May 1".
            let soft = untold == Prefer::Closest && language.is_plan(token);
            return language.is_future(before, token).then_some(if soft { Prefer::Closest } else { Prefer::Future });
        }
        if token.atoms.contains(&Atom::PastVerb) {
            return (!language.leaves_open(before, token, lead)).then_some(Prefer::Past);
        }
        // A form that may be a participle ("hosted by") moves no date of the calendar far from the reference.
        language.is_past(before, token).then_some(if untold == Prefer::Closest { Prefer::Closest } else { Prefer::Past })
    };
    let open = |at: &usize| tokens.get(*at).is_some_and(|token| !ends_sentence(token));
    let before = (from.saturating_sub(REACH)..from).rev().take_while(open);
    let after = (to..tokens.len().min(to + REACH)).take_while(open);
    before.chain(after).find_map(says)
}

/// What is meant where no verb tells.
fn untold(node: &Node) -> Prefer {
    match node {
        Node::Weekend | Node::Date(Fields { month: Some(_), .. }) => Prefer::Closest,
        // "The eighties" have been, and so has the first quarter that one speaks of, unless it is under way.
        Node::ShortDecade(_) | Node::Quarter(_) | Node::Half(_) => Prefer::Past,
        Node::Section(_, of)
        | Node::Near(of)
        | Node::WeekOf(of)
        | Node::WeekendOf(of)
        | Node::Nth { of, .. }
        | Node::And(of, _)
        | Node::Open(_, of)
        | Node::Zoned(of, _)
        | Node::Range(of, _) => untold(of),
        _ => Prefer::Future,
    }
}

impl From<Moment> for Value {
    fn from(moment: Moment) -> Self {
        Self::Moment(moment)
    }
}
