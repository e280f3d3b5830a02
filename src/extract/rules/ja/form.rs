//! What the endings of a predicate say: negation, tense, aspect, mood, and how the clause is linked to what follows.
//! Knows no word and no relation.

/// A set of things that endings say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flags(u32);

impl Flags {
    pub(super) const NONE: Self = Self(0);
    /// ない
    pub(super) const NEGATED: Self = Self(1);
    /// た
    pub(super) const PAST: Self = Self(1 << 1);
    /// ている
    pub(super) const ONGOING: Self = Self(1 << 2);
    /// たい
    pub(super) const WISHED: Self = Self(1 << 3);
    /// れる
    pub(super) const PASSIVE: Self = Self(1 << 4);
    /// せる
    pub(super) const CAUSED: Self = Self(1 << 5);
    /// られる, できる
    pub(super) const ABLE: Self = Self(1 << 6);
    /// ば, たら, なら, ても
    pub(super) const SUPPOSED: Self = Self(1 << 7);
    /// だろう, かもしれない, ようだ, と思う
    pub(super) const GUESSED: Self = Self(1 << 8);
    /// らしい, そうだ, とのこと
    pub(super) const HEARD: Self = Self(1 << 9);
    /// ください, なさい, てほしい
    pub(super) const ASKED: Self = Self(1 << 10);
    /// か
    pub(super) const ASKING: Self = Self(1 << 11);
    /// よう, ましょう
    pub(super) const WILLED: Self = Self(1 << 12);
    /// 予定, つもり
    pub(super) const PLANNED: Self = Self(1 << 13);
    /// ことになった
    pub(super) const DECIDED: Self = Self(1 << 14);
    /// 始める, ようになる
    pub(super) const BEGAN: Self = Self(1 << 15);
    /// 続ける
    pub(super) const LASTING: Self = Self(1 << 16);
    /// 終える
    pub(super) const FINISHED: Self = Self(1 << 17);
    /// たことがある
    pub(super) const TRIED_ONCE: Self = Self(1 << 18);
    /// ところだった
    pub(super) const ALMOST: Self = Self(1 << 19);
    /// 済み
    pub(super) const DONE: Self = Self(1 << 20);
    /// ておく
    pub(super) const PREPARED: Self = Self(1 << 21);
    /// てもらう, てくれる
    pub(super) const FAVOUR: Self = Self(1 << 22);
    /// てみる
    pub(super) const TRIED: Self = Self(1 << 23);
    /// ようにしている
    pub(super) const REGULAR: Self = Self(1 << 24);
    /// んだった: what should have been.
    pub(super) const RUED: Self = Self(1 << 25);
    /// こと: the clause is made a noun.
    pub(super) const NOUN: Self = Self(1 << 26);

    pub(super) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub(super) const fn any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// How a predicate is linked to what follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Link {
    /// It ends the sentence.
    Whole,
    /// A noun or verbal noun without any ending: it ends a sentence, or is no predicate at all.
    Bare,
    /// 住み、
    Stem,
    /// 住んで
    Te,
    /// で, し, ながら
    And,
    /// じゃなくて
    NotBut,
    /// けど, が, のに
    But,
    /// から, ので
    Because,
    /// たら, ば, と
    If,
    /// と, って: what is said or thought.
    Quote,
    /// It modifies the noun that follows.
    Of,
    /// のは
    Cleft,
    /// のを, ことを: it is itself a noun.
    Thing,
}

impl Link {
    /// Whether the clause is asserted on its own, whatever becomes of the clauses after it.
    pub(super) const fn is_own(self) -> bool {
        matches!(self, Self::But | Self::Because | Self::Whole)
    }
}

/// What the endings of one predicate say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Form {
    pub(super) flags: Flags,
    pub(super) link: Link,
}

impl Form {
    pub(super) const fn is(self, flag: Flags) -> bool {
        self.flags.has(flag)
    }

    pub(super) const fn any(self, flags: Flags) -> bool {
        self.flags.any(flags)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_add_up() {
        let both = Flags::PAST.with(Flags::NEGATED);
        assert!(both.has(Flags::PAST) && both.has(Flags::NEGATED) && both.has(both), "both are there");
        assert!(!Flags::PAST.has(both) && both.any(Flags::PAST.with(Flags::ABLE)), "one of two is not both");
    }
}
