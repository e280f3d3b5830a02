//! Cutting a sentence into tokens without a dictionary of names: by scripts, particles, inflected predicates, quotation marks and times.
//!
//! Owns the cutting. Knows nothing of clauses.

use super::form::{Flags, Form, Link};
use super::inflect::{At, Class, endings};
use super::lexicon::{Adverb, Call, Found, Lexicon, particle_at};
use super::pack::{OTHER, WordId};
use super::particle::Particle;
use super::script::{Script, closing, is_numeral, script};
use super::sentence::LONGEST;
use std::ops::Range;

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// Its bytes.
    pub(super) at: Range<usize>,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name or noun.
    Text,
    /// What stands in quotation marks; its bytes without them.
    Quote(Range<usize>),
    /// A temporal expression, by its place among those of the text.
    Time(usize),
    /// A particle, and whether it makes a topic.
    Particle(Particle, bool),
    /// An inflected predicate: each word it may be, with what its endings say.
    Predicate(Vec<(WordId, Class, Form)>),
    /// The copula with what it says.
    Copula(Form),
    Adverb(Adverb),
    Call(Call),
    /// 、 and its like.
    Comma,
    /// A colon.
    Colon,
    /// A dash or bracket, which parts names.
    Break,
}

/// Cuts a sentence, which begins at `base` of the text whose times are given; the tokens' bytes are the text's.
///
/// # Complexity
/// Linear in the sentence: at each character a bounded number of words is looked up.
pub(super) fn tokenize(text: &str, sentence: Range<usize>, times: &[Range<usize>], lexicon: &Lexicon) -> Vec<Token> {
    let end = sentence.end.min(text.len());
    let mut cutter = Cutter { text, end, times, lexicon, tokens: Vec::new(), pending: None, next_time: 0 };
    cutter.next_time = times.partition_point(|time| time.start < sentence.start);
    let mut at = sentence.start;
    while at < end {
        let step = cutter.step(at);
        at += step.max(1);
        while at < end && !text.is_char_boundary(at) {
            at += 1;
        }
    }
    cutter.flush(end);
    cutter.tokens
}

struct Cutter<'t> {
    text: &'t str,
    end: usize,
    times: &'t [Range<usize>],
    lexicon: &'t Lexicon,
    tokens: Vec<Token>,
    /// Where a text began that has not ended yet.
    pending: Option<usize>,
    next_time: usize,
}

impl<'t> Cutter<'t> {
    fn rest(&self, at: usize) -> &'t str {
        self.text.get(at..self.end).unwrap_or_default()
    }

    fn before(&self, at: usize) -> Option<char> {
        self.text.get(..at)?.chars().next_back()
    }

    fn flush(&mut self, at: usize) {
        if let Some(from) = self.pending.take() {
            let text = self.text.get(from..at).unwrap_or_default();
            let (left, right) = (text.trim_start(), text.trim_end());
            let at = from + (text.len() - left.len())..from + right.len();
            if at.start < at.end {
                self.tokens.push(Token { kind: Kind::Text, at });
            }
        }
    }

    fn push(&mut self, kind: Kind, from: usize, bytes: usize) -> usize {
        self.flush(from);
        self.tokens.push(Token { kind, at: from..from + bytes });
        bytes
    }

    /// Whether what stands before a place can bear a particle or copula.
    fn is_nominal(&self) -> bool {
        let closes =
            |token: &Token| token.kind == Kind::Break && self.text.get(token.at.clone()).is_some_and(|mark| matches!(mark, "）" | ")"));
        self.pending.is_some() || self.tokens.last().is_some_and(|token| {
            closes(token)
                || matches!(token.kind, Kind::Text | Kind::Quote(_) | Kind::Time(_))
                || matches!(&token.kind, Kind::Predicate(all) if all.iter().any(|(.., form)| matches!(form.link, Link::Bare | Link::Stem)))
        })
    }

    /// Whether what was read as a time is one where it stands, and not a piece of a name: 三日月, リバイブ.
    fn is_time(&self, time: &Range<usize>) -> bool {
        let inside = self.text.get(time.clone()).unwrap_or_default();
        let (first, last) = (inside.chars().next(), inside.chars().next_back());
        let before = self.before(time.start).filter(|_| self.pending.is_some());
        let after = self.text.get(time.end..).and_then(|after| after.chars().next());
        let katakana = |c: Option<char>| c.is_some_and(|c| script(c) == Script::Katakana);
        let kanji = |c: Option<char>| c.is_some_and(|c| script(c) == Script::Kanji && !is_numeral(c));
        !(katakana(first) && katakana(before)
            || katakana(last) && katakana(after)
            || last == Some('日') && after == Some('月')
            || kanji(first) && kanji(before))
    }

    /// Reads one token, or one more character of a text; the bytes it took.
    fn step(&mut self, at: usize) -> usize {
        let rest = self.rest(at);
        let Some(c) = rest.chars().next() else { return 1 };
        let width = c.len_utf8();
        while self.times.get(self.next_time).is_some_and(|time| time.start < at) {
            self.next_time += 1;
        }
        let kind = script(c);
        let previous = self.before(at).filter(|_| self.pending.is_some());
        if let Some(time) = self.times.get(self.next_time).filter(|time| time.start == at && time.end <= self.end && self.is_time(time)) {
            // An adverb that is also read as a time says more as an adverb.
            let adverb = self
                .lexicon
                .at(rest)
                .into_iter()
                .filter(|(bytes, found)| *bytes >= time.len() && matches!(found, Found::Adverb(adverb) if *adverb != Adverb::Idle));
            if let Some((bytes, Found::Adverb(adverb))) = adverb.max_by_key(|(bytes, _)| *bytes) {
                return self.push(Kind::Adverb(adverb), at, bytes);
            }
            // 12日です: で belongs to the copula.
            let inside = self.text.get(time.clone()).unwrap_or_default();
            let copula = inside.ends_with('で') && self.rest(time.end).starts_with(['す', 'し']);
            let (bytes, place) = (time.len() - if copula { 'で'.len_utf8() } else { 0 }, self.next_time);
            return self.push(Kind::Time(place), at, bytes);
        }
        match c {
            '、' | '，' | ',' | ';' | '；' | '…' => return self.push(Kind::Comma, at, width),
            ':' | '：' => return self.push(Kind::Colon, at, width),
            '(' | '（' | ')' | '）' | '—' | '―' | '#' | '＃' | '*' | '■' | '●' | '◆' | '→' | '【' | '】' | '・'
                if c != '・' || self.pending.is_none() =>
            {
                return self.push(Kind::Break, at, width);
            }
            _ => {}
        }
        if let Some(close) = closing(c)
            && let Some(inner) =
                rest.get(width..).and_then(|inside| inside.char_indices().take(LONGEST).find(|(_, c)| *c == close).map(|(at, _)| at))
        {
            return self.push(Kind::Quote(at + width..at + width + inner), at, width + inner + close.len_utf8());
        }
        if kind == Script::Space {
            let letters = |c: Option<char>| c.is_some_and(|c| c.is_ascii_graphic() || script(c) == Script::Letter);
            if !(letters(previous) && letters(rest.trim_start().chars().next()) && c != '\n') {
                self.flush(at);
            }
            return width;
        }
        if kind == Script::Letter {
            self.pending.get_or_insert(at);
            return letters(rest);
        }
        let boundary = previous.is_none_or(|previous| script(previous) != kind);
        if let Some(bytes) = self.word(at, kind, boundary) {
            return bytes;
        }
        self.pending.get_or_insert(at);
        width
    }

    /// Reads a word at a place, if one can begin there.
    fn word(&mut self, at: usize, kind: Script, boundary: bool) -> Option<usize> {
        let rest = self.rest(at);
        let fresh = self.pending.is_none();
        let nominal = self.is_nominal() || self.tokens.last().is_some_and(|token| matches!(token.kind, Kind::Adverb(_)));
        let one = self.pending.and_then(|from| self.text.get(from..at)).is_some_and(|open| {
            let mut all = open.chars();
            all.next().is_some_and(|c| script(c) == Script::Kanji) && all.next().is_none()
        });
        let place = Place { kind, boundary, fresh, single_ok: !one || rest.starts_with(['あ', 'い', 'な', 'や', 'も', 'で']) };
        let mut candidates = self.lexicon.at(rest);
        candidates.retain(|(bytes, found)| self.may_stand(rest.get(*bytes..).unwrap_or_default(), *bytes, found, place));
        let longest = candidates.iter().map(|(bytes, _)| *bytes).max();
        if nominal && let Some(bytes) = self.mark(at, rest, place, longest.unwrap_or(0)) {
            return Some(bytes);
        }
        // About so much: it adds nothing to a number or noun.
        if nominal
            && boundary
            && let Some(about) = about(rest)
        {
            self.flush(at);
            return Some(about);
        }
        let Some(longest) = longest else { return self.unknown(at, rest, kind) };
        let mut readings = Vec::new();
        let mut other = None;
        for (_, found) in candidates.into_iter().filter(|(bytes, _)| *bytes == longest) {
            match found {
                Found::Predicate(word, class, form) => readings.push((word, class, form)),
                // An interjection that stands alone is one, whatever else it might be.
                Found::Call(call) => return Some(self.push(Kind::Call(call), at, longest)),
                Found::Adverb(_) | Found::Noun => other = Some(found),
            }
        }
        if readings.is_empty() {
            if let Some(Found::Adverb(adverb)) = other {
                return Some(self.push(Kind::Adverb(adverb), at, longest));
            }
            // さくら薬局: a name goes on in another script.
            let goes_on = rest
                .get(longest..)
                .and_then(|after| after.chars().next())
                .is_some_and(|c| matches!(script(c), Script::Kanji | Script::Katakana));
            if fresh && goes_on {
                self.pending = Some(at);
                return Some(longest);
            }
            if fresh {
                return Some(self.push(Kind::Text, at, longest));
            }
            return Some(longest);
        }
        let after = rest.get(longest..).unwrap_or_default();
        // A whole predicate before a noun modifies it.
        if !ends(after) && !starts_particle(after) {
            for (.., form) in readings.iter_mut().filter(|(.., form)| form.link == Link::Whole) {
                form.link = Link::Of;
            }
        }
        readings.dedup();
        Some(self.push(Kind::Predicate(readings), at, longest))
    }

    /// Whether a word of the lexicon can stand at a place: it begins where its script does, but for predicates that end what may be a
    /// name without a particle.
    fn may_stand(&self, after: &str, bytes: usize, found: &Found, place: Place) -> bool {
        let Place { kind, boundary, fresh, .. } = place;
        match found {
            Found::Predicate(_, class, form) => {
                if kind == Script::Hiragana && (!boundary || bytes <= 9 && self.goes_on(after)) {
                    return false;
                }
                // 助かった: kana after one ideograph are of its word.
                if kind == Script::Hiragana && matches!(class, Class::Godan(_)) && !place.single_ok {
                    return false;
                }
                let inside = kind == Script::Kanji && *class != Class::Nominal;
                if form.link == Link::Bare {
                    ends(after) && (boundary || inside)
                } else if form.link == Link::Stem {
                    ends(after) && boundary && bytes > 3
                } else {
                    boundary || inside && bytes > 3
                }
            }
            // みんなに, 全員と: they are no subject.
            Found::Adverb(Adverb::Unnamed) => {
                fresh && !["を", "に", "と", "の", "で", "へ", "から", "な"].iter().any(|next| after.starts_with(next))
            }
            // 何かな, 何か。: they ask.
            Found::Adverb(Adverb::Something) => fresh && !ends(after) && !after.starts_with(['な', 'ね', 'と', 'ら']),
            Found::Adverb(adverb) => {
                let short = *adverb == Adverb::Idle && kind == Script::Hiragana && bytes <= 6;
                fresh
                    && (parted(after, kind)
                        || bytes >= 6 && !short
                        || particle_at(after).is_some_and(|(bytes, ..)| bytes > 0) && bytes >= 6)
            }
            Found::Call(_) => fresh && ends(after),
            Found::Noun if kind == Script::Hiragana => boundary && !self.goes_on(after),
            Found::Noun => boundary && parted(after, Script::Kanji),
        }
    }

    /// Whether kana go on after a word in a way that no particle, copula or predicate does.
    fn goes_on(&self, after: &str) -> bool {
        after.chars().next().is_some_and(|c| script(c) == Script::Hiragana)
            && particle_at(after).is_none()
            && endings(after, At::Copula).is_none_or(|(bytes, _)| bytes == 0)
            && !self.lexicon.at(after).iter().any(|(_, found)| is_inflected(found))
    }

    /// Reads the copula or a particle after a noun, unless a longer word stands there.
    fn mark(&mut self, at: usize, rest: &str, place: Place, longest: usize) -> Option<usize> {
        let mid = !place.fresh && !place.boundary;
        // 韓国語なら話せます: of the few things that somebody can or has.
        if rest.strip_prefix("なら").is_some_and(is_conceded) {
            return Some(self.push(Kind::Particle(Particle::Topic, true), at, "なら".len()));
        }
        // 小梅って名前
        if ["って名前", "って子", "って人", "って会社"].iter().any(|named| rest.starts_with(named)) {
            return Some(self.push(Kind::Particle(Particle::Named, false), at, "って".len()));
        }
        let copula = endings(rest, At::Copula).filter(|(bytes, form)| is_copula(rest, *bytes, *form, mid));
        let particle = self.particle(rest).filter(|(bytes, ..)| {
            let after = rest.get(*bytes..).unwrap_or_default();
            // 根本さやか氏: the name goes on to its title.
            !mid || rest.starts_with('を')
                || self.may_end(after) && !["氏", "様", "君", "夫妻"].iter().any(|title| after.starts_with(title))
        });
        let particle_bytes = particle.map_or(0, |(bytes, ..)| bytes);
        if let Some((bytes, form)) = copula.filter(|(bytes, _)| *bytes >= particle_bytes && *bytes >= longest) {
            return Some(self.push(Kind::Copula(form), at, bytes));
        }
        let (bytes, topic, particle) = particle.filter(|_| particle_bytes >= longest)?;
        Some(self.push(Kind::Particle(particle, topic), at, bytes))
    }

    /// The particle at a place: the longest, unless a shorter one leaves a predicate that the longer one tears ("にはまる").
    fn particle(&self, rest: &str) -> Option<(usize, bool, Particle)> {
        let longest = particle_at(rest)?;
        let verb = |bytes: usize| {
            let found = rest.get(bytes..).map(|after| self.lexicon.at(after)).unwrap_or_default();
            found
                .iter()
                .filter(|(_, found)| matches!(found, Found::Predicate(.., form) if form.link != Link::Bare && form.link != Link::Stem))
                .map(|(bytes, _)| *bytes)
                .max()
                .unwrap_or(0)
        };
        let shorter = Particle::at(rest).filter(|(bytes, ..)| *bytes < longest.0).find(|(bytes, ..)| {
            let (whole, torn) = (*bytes + verb(*bytes), longest.0 + verb(longest.0).max(3));
            (whole > torn || whole == torn && verb(*bytes) > verb(longest.0)) && verb(*bytes) >= 9
        });
        Some(shorter.unwrap_or(longest))
    }

    /// A predicate that no pattern knows: kana after kanji that end as predicates do.
    fn unknown(&mut self, at: usize, rest: &str, kind: Script) -> Option<usize> {
        let from = self.pending?;
        if kind != Script::Hiragana || self.before(at).is_none_or(|c| script(c) != Script::Kanji) {
            return None;
        }
        // 田中さん: a name with a title.
        if ["さん", "ちゃん", "くん", "さま", "たち", "ら", "さ"].iter().any(|title| rest.starts_with(title))
            && !rest.starts_with("さな")
            && !rest.starts_with("させ")
            && !rest.starts_with("され")
        {
            return None;
        }
        // 好きです: the copula, not a verb in す.
        if ["です", "でし", "だ", "じゃ", "では", "なん", "なの"]
            .iter()
            .any(|copula| rest.char_indices().take(3).any(|(at, _)| rest.get(at..).is_some_and(|rest| rest.starts_with(copula))))
            && !rest.contains("んで")
            && !rest.contains("んだ")
            && !rest.contains("いだ")
        {
            return None;
        }
        let run: usize = rest.chars().take_while(|c| script(*c) == Script::Hiragana).map(char::len_utf8).sum();
        let whole = rest.get(..run)?;
        let mut best: Option<(usize, Class, Form)> = None;
        for okurigana in 0..=2 {
            let bytes: usize = whole.chars().take(okurigana).map(char::len_utf8).sum();
            let (Some(stem), Some(after)) = (whole.get(..bytes), whole.get(bytes..)) else { break };
            let mut tries: Vec<(usize, At)> = vec![(0, At::Continuative)];
            if let Some(next) = after.chars().next() {
                match next {
                    'て' => tries.push((3, At::Te)),
                    'で' if stem.ends_with(['ん', 'い']) => tries.push((3, At::Te)),
                    'た' => tries.push((3, At::Ta)),
                    'だ' if stem.ends_with(['ん', 'い']) => tries.push((3, At::Ta)),
                    'う' | 'く' | 'ぐ' | 'す' | 'つ' | 'ぶ' | 'む' | 'る' => tries.push((3, At::Terminal)),
                    'な' if okurigana > 0 => tries.push((0, At::Irrealis)),
                    'い' | 'か' => tries.push((0, At::Adjective)),
                    _ => {}
                }
            }
            for (own, state) in tries {
                let Some((taken, form)) = after.get(own..).and_then(|after| endings(after, state)) else { continue };
                let total = bytes + own + taken;
                let class = if state == At::Adjective { Class::Adjective } else { Class::Ichidan };
                if taken + own > 0 && form.link != Link::Stem && best.is_none_or(|(most, ..)| total > most) {
                    best = Some((total, class, form));
                }
            }
        }
        let (bytes, class, mut form) = best.filter(|(bytes, ..)| *bytes == run || *bytes >= 9)?;
        let after = rest.get(bytes..).unwrap_or_default();
        if form.link == Link::Whole && !ends(after) {
            form.link = Link::Of;
        }
        // The kanji before the kana belong to the predicate.
        let pending = self.text.get(from..at)?;
        let stem: usize = pending.chars().rev().take_while(|c| script(*c) == Script::Kanji).take(1).map(char::len_utf8).sum();
        self.flush(at - stem);
        self.tokens.push(Token { kind: Kind::Predicate(vec![(OTHER, class, form)]), at: at - stem..at + bytes });
        Some(bytes)
    }

    /// Whether a particle inside kana may end before a text: where the kana end, or a predicate or noun begins.
    fn may_end(&self, after: &str) -> bool {
        let Some(next) = after.chars().next() else { return true };
        if script(next) != Script::Hiragana {
            return true;
        }
        self.lexicon.at(after).iter().any(|(bytes, found)| match found {
            Found::Predicate(.., form) if form.link == Link::Bare => *bytes >= 9,
            Found::Predicate(.., form) => *bytes >= 6 && form.link != Link::Stem,
            Found::Noun | Found::Adverb(_) => *bytes >= 6,
            Found::Call(_) => false,
        })
    }
}

/// Where a word is looked for.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// The script of its first character.
    kind: Script,
    /// Whether another script, or nothing, stands before it.
    boundary: bool,
    /// Whether no text is open before it.
    fresh: bool,
    /// Whether a verb in kana can begin there: not after a single ideograph, but for those that often have no particle before them.
    single_ok: bool,
}

/// Whether a predicate has endings of its own.
fn is_inflected(found: &Found) -> bool {
    matches!(found, Found::Predicate(.., form) if !matches!(form.link, Link::Stem | Link::Bare))
}

/// Whether what was read as the copula is it, and not a particle or a piece of a word.
fn is_copula(rest: &str, bytes: usize, form: Form, mid: bool) -> bool {
    let after = rest.get(bytes..).unwrap_or_default();
    let links = matches!(form.link, Link::Cleft | Link::Because | Link::But | Link::NotBut | Link::Quote | Link::And | Link::Te | Link::If);
    if bytes == 0 || form.link == Link::Bare || !(ends(after) || form.link == Link::Of && !mid || links && bytes > 3) {
        return false;
    }
    // で is the copula before a comma alone, else a particle.
    if form.link == Link::And && bytes == 3 {
        return matches!(rest.chars().nth(1), Some('、' | '，') | None);
    }
    if form.link == Link::Quote && form.flags == Flags::NONE {
        return bytes > 6 || rest.starts_with('だ');
    }
    form.flags != Flags::ASKING || bytes != 3 || ends(after)
}

/// Whether what follows なら tells of what somebody can, likes or has, and supposes nothing.
fn is_conceded(after: &str) -> bool {
    const HAS: &[&str] = &["でき", "話せ", "弾け", "吹け", "分か", "わか", "得意", "好き", "食べられ", "飲め", "飼って", "飼い", "持って"];
    const OPEN: &[&str] = &["だろう", "でしょう", "たい", "かも", "のに", "はず", "たら", "ば", "ですか", "ますか", "？", "?"];
    let end = after.find(['。', '\n', '！']).unwrap_or(after.len());
    let clause = after.get(..end).unwrap_or(after);
    HAS.iter().any(|word| clause.contains(word)) && !OPEN.iter().any(|word| clause.contains(word))
}

/// The bytes of a word that says "about so much" and adds nothing to a number or noun.
fn about(rest: &str) -> Option<usize> {
    const ABOUT: &[&str] = &["くらい", "ぐらい", "ほど", "程度", "前後", "ばかり", "のまま", "ごろ"];
    let word = ABOUT.iter().find(|word| rest.starts_with(**word))?;
    let after = rest.get(word.len()..)?;
    (ends(after) || after.starts_with(['で', 'だ', 'に', 'の', 'は', 'が', 'を', 'か', 'し'])).then_some(word.len())
}

/// Whether a sentence or clause may end before a text.
fn ends(after: &str) -> bool {
    after.chars().next().is_none_or(|c| matches!(script(c), Script::Mark | Script::Space) && closing(c).is_none())
}

/// Whether a word of a script may end before a text: something other than more of the same.
fn parted(after: &str, kind: Script) -> bool {
    after.chars().next().is_none_or(|c| script(c) != kind && c != 'ー' || kind == Script::Kanji && is_numeral(c))
}

fn starts_particle(after: &str) -> bool {
    const NOUNS: &[&str] = &["もの", "とき", "ところ", "とこ", "ともだち", "はなし", "ねこ", "ときどき"];
    after.starts_with(['は', 'が', 'を', 'に', 'へ', 'で', 'と', 'も', 'よ', 'ね']) && !NOUNS.iter().any(|noun| after.starts_with(noun))
}

/// The bytes of letters and digits at the start of a text, with the marks that stand inside addresses, versions and amounts.
fn letters(rest: &str) -> usize {
    let mut taken = 0;
    let mut characters = rest.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        let inside =
            matches!(c, '.' | '-' | '_' | '@' | '/' | '+' | '#' | ':' | ',' | '\'' | '&' | '%' | '~' | '=' | '?' | '．' | '，' | '－');
        let goes_on = script(c) == Script::Letter
            || inside
                && taken > 0
                && (next.is_some_and(|next| script(next) == Script::Letter || matches!(next, '/' | '+')) || matches!(c, '+' | '#' | '%'))
                && (!matches!(c, ',' | '，') || next.is_some_and(char::is_numeric));
        if !goes_on {
            break;
        }
        taken = at + c.len_utf8();
    }
    taken.max(rest.chars().next().map_or(1, char::len_utf8))
}

#[cfg(test)]
mod tests {
    use super::super::SHIPPED;
    use super::*;

    fn check(text: &str, times: &[&str], expect: &str) {
        let times: Vec<Range<usize>> = times.iter().map(|time| text.find(time).map(|at| at..at + time.len()).unwrap()).collect();
        let tokens = tokenize(text, 0..text.len(), &times, &SHIPPED.lexicon);
        let shown: Vec<&str> = tokens.iter().map(|token| &text[token.at.clone()]).collect();
        assert_eq!(shown.join("|"), expect);
    }

    #[test]
    fn names_end_where_particles_and_endings_begin() {
        check("つばさは小樽で写真を撮っている", &[], "つばさ|は|小樽|で|写真|を|撮っている");
        check("さくらんぼが好きだ", &[], "さくらんぼ|が|好きだ");
        check("Café 9は「風の音」を出した", &[], "Café 9|は|「風の音」|を|出した");
        check("高野さんではない", &[], "高野さん|ではない");
    }

    #[test]
    fn times_are_whole_unless_they_are_pieces_of_names() {
        check("先月小樽に行った", &["先月"], "先月|小樽|に|行った");
        check("三日月堂で働く", &["三日"], "三日月堂|で|働く");
        check("リバイブを買う", &["イブ"], "リバイブ|を|買う");
    }
}
