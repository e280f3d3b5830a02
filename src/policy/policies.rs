//! The compiled policies of a tenant: pack, overrides, inverses, exclusions and names. Knows TOML only as tables already read.

use super::PackError;
use super::table::{Change, Patch};
use super::wording::{is_plain_key, relation_key};
use crate::extract::Relations;
use crate::model::{Cardinality, RelationPolicy};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};
use toml::Table;

/// The relation name that stands for every relation no pack declares.
const UNKNOWN: &str = "*";

/// What a stated relation means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonical<'a> {
    /// The canonical relation's name, in `snake_case`.
    pub relation: Cow<'a, str>,
    /// Whether head and tail change places.
    pub inverted: bool,
    /// Its policy, compiled (inverse cardinality taken over from the inverse relation).
    pub policy: &'a RelationPolicy,
    /// Whether the pack or an override declares it.
    pub known: bool,
}

/// All relation policies of a tenant: a pack, the tenant's overrides, and the default for relations that neither declares.
///
/// Compiled: inverse pairs agree (of the two, the canonical one is the one with cardinality one, then the one whose name sorts first),
/// a symmetric relation has one cardinality both ways, and `excludes` names every other relation of the exclusive class, sorted,
/// so that the least name among a relation and those it excludes names the class.
#[derive(Clone, Debug, PartialEq)]
pub struct Policies {
    pack: Arc<BTreeMap<String, Patch>>,
    overrides: BTreeMap<String, Override>,
    compiled: Vec<Compiled>,
    unknown: RelationPolicy,
    /// Names and unambiguous aliases in normal form → place in `compiled`.
    names: FxHashMap<String, usize>,
    ambiguous: BTreeMap<String, BTreeSet<String>>,
}

#[derive(Clone, Debug, PartialEq)]
struct Override {
    toml: String,
    patch: Patch,
}

#[derive(Clone, Debug, PartialEq)]
struct Compiled {
    name: String,
    policy: RelationPolicy,
    /// The place of its canonical relation: itself, or its inverse.
    canonical: usize,
}

impl Relations for Policies {
    fn policy(&self, relation: &str) -> Option<&RelationPolicy> {
        self.get(relation)
    }

    fn names(&self) -> Vec<&str> {
        self.iter().map(|(name, _)| name).collect()
    }

    fn canonical_name(&self, words: &str) -> Option<String> {
        self.name_of(words).map(str::to_owned)
    }
}

impl Policies {
    /// The shipped pack without overrides.
    ///
    /// ```
    /// use erstwhile::{model::Cardinality, policy::Policies};
    /// let policies = Policies::shipped();
    /// let works_at = policies.canonical("works at");
    /// assert_eq!(works_at.relation, "employer");
    /// assert_eq!(works_at.policy.cardinality, Cardinality::One);
    /// let manages = policies.canonical("manages");
    /// assert_eq!((&*manages.relation, manages.inverted), ("reports_to", true));
    /// ```
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "it cannot: the embedded pack is part of the program, and a test reads it")]
    pub fn shipped() -> Self {
        static SHIPPED: OnceLock<Policies> = OnceLock::new();
        #[expect(clippy::expect_used, reason = "the embedded pack is part of the program; a test reads it")]
        let shipped = SHIPPED.get_or_init(|| Self::with_pack(include_str!("relations.toml")).expect("the shipped pack is well formed"));
        shipped.clone()
    }

    /// A pack of one's own in place of the shipped one: `[relation.NAME]` tables, and `default_cardinality` for relations it does not declare.
    ///
    /// # Errors
    /// [`PackError`] naming the relation and the field.
    pub fn with_pack(toml: &str) -> Result<Self, PackError> {
        let mut pack = BTreeMap::new();
        for (relation, table) in pack_tables(toml)? {
            let patch = Patch::read(&relation, &table)?;
            check_name(&relation, &patch)?;
            pack.insert(relation, patch);
        }
        Self::compile(Arc::new(pack), BTreeMap::new())
    }

    /// Sets (`Some` TOML body of one relation's table) or removes (`None`) one override. The relation `*` stands for every unknown relation.
    ///
    /// An override says only what differs; a list or a language's aliases are replaced as a whole; `inverse_of = ""` and `ttl = "none"`
    /// take away. Kind, resumes, conflicts, authority, ttl and sensitivity set on one of an inverse pair hold for both.
    /// A relation that the pack does not declare starts from the default for unknown relations, and wins over an alias of that name.
    ///
    /// # Errors
    /// [`PackError::Invalid`] naming the relation and the field, [`PackError::Unreadable`] if it is no TOML; the policies are unchanged.
    /// Two relations may not take one wording, nor one the name of another, by what is set here.
    pub fn set(&mut self, relation: &str, toml: Option<&str>) -> Result<(), PackError> {
        self.set_together([(relation, toml)])
    }

    /// Sets or removes several overrides, in this order, as [`Policies::set`] does each; only the outcome has to agree with itself,
    /// so that relations that name each other can be declared at once.
    ///
    /// # Errors
    /// As [`Policies::set`]; the policies are unchanged.
    pub fn set_together<'o>(&mut self, given: impl IntoIterator<Item = (&'o str, Option<&'o str>)>) -> Result<(), PackError> {
        let mut after = self.clone();
        after.set_all(given)?;
        after.refuse_new_clashes(self)?;
        *self = after;
        Ok(())
    }

    /// Lays overrides that were accepted before over these, in the order in which they were. As [`Policies::set_together`], but wordings
    /// that clash by now (a newer pack may have taken one) are let be, and name neither relation: what was accepted can be read forever.
    ///
    /// # Errors
    /// As [`Policies::set`], but for wordings; the policies are unchanged.
    pub fn set_all<'o>(&mut self, given: impl IntoIterator<Item = (&'o str, Option<&'o str>)>) -> Result<(), PackError> {
        let mut overrides = self.overrides.clone();
        for (relation, toml) in given {
            let name = if relation == UNKNOWN { UNKNOWN.to_owned() } else { relation_key(relation) };
            match toml {
                Some(toml) => {
                    let table = read_toml(toml, &format!("relation {name:?}"))?;
                    let patch = Patch::read(&name, &table)?;
                    check_name(&name, &patch)?;
                    overrides.insert(name, Override { toml: toml.to_owned(), patch });
                }
                None => {
                    overrides.remove(&name);
                }
            }
        }
        if overrides != self.overrides {
            *self = Self::compile(Arc::clone(&self.pack), overrides)?;
        }
        Ok(())
    }

    /// What a relation as stated (a name, an alias, an inverse) means here; an unknown one is its own canonical name, in `snake_case`
    /// (an IRI is kept as it is). A wording that several relations share names none of them.
    ///
    /// # Complexity
    /// One hash lookup for a name in normal form; others are normalised first.
    #[must_use]
    pub fn canonical<'a>(&'a self, stated: &'a str) -> Canonical<'a> {
        let key = if is_plain_key(stated) { Cow::Borrowed(stated) } else { Cow::Owned(relation_key(stated)) };
        let found = self.names.get(key.as_ref()).and_then(|at| self.compiled.get(*at).map(|stated| (*at, stated.canonical)));
        let canonical = found.and_then(|(at, to)| self.compiled.get(to).map(|compiled| (compiled, at != to)));
        match canonical {
            Some((compiled, inverted)) => {
                Canonical { relation: Cow::Borrowed(&compiled.name), inverted, policy: &compiled.policy, known: true }
            }
            None => Canonical { relation: key, inverted: false, policy: &self.unknown, known: false },
        }
    }

    /// All declared relations with their policies in force, in name order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &RelationPolicy)> {
        self.compiled.iter().map(|compiled| (compiled.name.as_str(), &compiled.policy))
    }

    /// The policy in force of a declared relation, by its name or an unambiguous alias; `*` is the default for unknown relations.
    #[must_use]
    pub fn get(&self, relation: &str) -> Option<&RelationPolicy> {
        if relation == UNKNOWN {
            return Some(&self.unknown);
        }
        self.names.get(&relation_key(relation)).and_then(|at| self.compiled.get(*at)).map(|compiled| &compiled.policy)
    }

    /// The overrides with their TOML as given, in name order.
    pub fn overrides(&self) -> impl Iterator<Item = (&str, &str)> {
        self.overrides.iter().map(|(name, given)| (name.as_str(), given.toml.as_str()))
    }

    /// Wordings that several relations share, in normal form, with those relations; they name none of them.
    pub fn ambiguous(&self) -> impl Iterator<Item = (&str, &BTreeSet<String>)> {
        self.ambiguous.iter().map(|(wording, relations)| (wording.as_str(), relations))
    }

    /// Refuses a wording that two relations share, or that is another's name, where they did not before.
    fn refuse_new_clashes(&self, before: &Self) -> Result<(), PackError> {
        let was_shared = |wording: &str, by: &BTreeSet<String>| before.ambiguous.get(wording).is_some_and(|known| by.is_subset(known));
        let shared = self.ambiguous.iter().find(|(wording, relations)| !was_shared(wording, relations));
        if let Some((wording, relations)) = shared {
            let old = before.name_of(wording).filter(|old| relations.contains(*old));
            let new = relations.iter().rfind(|relation| Some(relation.as_str()) != old).map_or("", String::as_str);
            let others: Vec<String> =
                relations.iter().filter(|relation| *relation != new).map(|relation| format!("{relation:?}")).collect();
            return Err(PackError::invalid(
                new,
                "aliases",
                format!("{wording:?} is a wording of {} already; it can mean only one relation", others.join(" and ")),
            ));
        }
        // A new relation may take a wording of another for its name; that other one may not take a name for its wording.
        for compiled in &self.compiled {
            let old = before.compiled_at(&compiled.name).map(|old| &old.policy.aliases);
            if old == Some(&compiled.policy.aliases) {
                continue;
            }
            let had = |wording: &String| old.is_some_and(|old| old.iter().any(|(_, wordings)| wordings.contains(wording)));
            let new = compiled.policy.aliases.iter().flat_map(|(_, wordings)| wordings).filter(|wording| !had(wording));
            for name in new.map(|wording| relation_key(wording)) {
                if name != compiled.name && self.compiled_at(&name).is_some() {
                    let reason = format!("{name:?} is the name of another relation; it cannot be a wording of {:?}", compiled.name);
                    return Err(PackError::invalid(&compiled.name, "aliases", reason));
                }
            }
        }
        Ok(())
    }

    /// The relation declared under exactly this name.
    fn compiled_at(&self, name: &str) -> Option<&Compiled> {
        self.compiled.binary_search_by(|compiled| compiled.name.as_str().cmp(name)).ok().and_then(|at| self.compiled.get(at))
    }

    /// The name under which a stated relation is declared: its own, or that of the relation it is an unambiguous wording of. Unlike
    /// [`Policies::canonical`] it does not turn an inverse round.
    #[must_use]
    pub fn name_of(&self, stated: &str) -> Option<&str> {
        self.names.get(&relation_key(stated)).and_then(|at| self.compiled.get(*at)).map(|compiled| compiled.name.as_str())
    }

    /// Whether a stated relation names one only by being a wording of it.
    #[must_use]
    pub fn is_wording(&self, stated: &str) -> bool {
        self.name_of(stated).is_some_and(|name| name != relation_key(stated))
    }

    fn compile(pack: Arc<BTreeMap<String, Patch>>, overrides: BTreeMap<String, Override>) -> Result<Self, PackError> {
        let patch_of = |name: &str| overrides.get(name).map(|given| &given.patch);
        let mut unknown = RelationPolicy::default();
        for patch in pack.get(UNKNOWN).into_iter().chain(patch_of(UNKNOWN)) {
            patch.lay_over(&mut unknown);
        }
        let names: BTreeSet<&String> = pack.keys().chain(overrides.keys()).filter(|name| *name != UNKNOWN).collect();
        let mut policies: BTreeMap<String, RelationPolicy> = BTreeMap::new();
        for name in names {
            let mut policy = match pack.get(name) {
                Some(declared) => {
                    let mut policy = RelationPolicy::default();
                    declared.lay_over(&mut policy);
                    policy
                }
                None => unknown.clone(),
            };
            if let Some(patch) = patch_of(name) {
                patch.lay_over(&mut policy);
            }
            policies.insert(name.clone(), policy);
        }
        pair_inverses(&mut policies, &patch_of)?;
        for (name, policy) in &mut policies {
            if policy.symmetric && policy.inverse_of.is_some() {
                return Err(PackError::invalid(name, "symmetric", "a symmetric relation is its own inverse; it has no inverse_of"));
            }
            let one = policy.cardinality == Cardinality::One || policy.inverse_cardinality == Cardinality::One;
            if policy.symmetric && one {
                (policy.cardinality, policy.inverse_cardinality) = (Cardinality::One, Cardinality::One);
            }
        }
        close_exclusions(&mut policies)?;
        let places: BTreeMap<String, usize> = policies.keys().cloned().zip(0..).collect();
        let canonical_of =
            |name: &str, policy: &RelationPolicy| places.get(canonical_name(name, policy, &policies)).copied().unwrap_or_default();
        let canonicals: Vec<usize> = policies.iter().map(|(name, policy)| canonical_of(name, policy)).collect();
        let (names, ambiguous) = name_relations(&policies, &places);
        let compiled =
            policies.into_iter().zip(canonicals).map(|((name, policy), canonical)| Compiled { name, policy, canonical }).collect();
        Ok(Self { pack, overrides, compiled, unknown, names, ambiguous })
    }
}

/// Of a pair of inverse relations the canonical one: the one with cardinality one, then the one whose name sorts first.
fn canonical_name<'a>(name: &'a str, policy: &'a RelationPolicy, policies: &BTreeMap<String, RelationPolicy>) -> &'a str {
    let Some(inverse) = policy.inverse_of.as_deref() else { return name };
    let many = |name: &str| policies.get(name).is_none_or(|policy| policy.cardinality == Cardinality::Many);
    if (many(inverse), inverse) < (many(name), name) { inverse } else { name }
}

/// Makes both relations of every inverse pair know and agree with each other.
fn pair_inverses<'p>(
    policies: &mut BTreeMap<String, RelationPolicy>,
    override_of: &dyn Fn(&str) -> Option<&'p Patch>,
) -> Result<(), PackError> {
    let stated: Vec<(String, String)> =
        policies.iter().filter_map(|(name, policy)| policy.inverse_of.clone().map(|inverse| (name.clone(), inverse))).collect();
    for (name, inverse) in stated {
        if name == inverse {
            return Err(PackError::invalid(&name, "inverse_of", "a relation that is its own inverse is symmetric: set symmetric = true"));
        }
        let Some(other) = policies.get(&inverse) else {
            return Err(PackError::invalid(&name, "inverse_of", format!("{inverse:?} is not declared; declare it first")));
        };
        let taken_away = override_of(&inverse).is_some_and(|patch| patch.inverse_of == Some(Change::Away));
        let back = match other.inverse_of.as_ref() {
            None if taken_away => None,
            None => Some(name.clone()),
            Some(back) if *back == name => Some(name.clone()),
            Some(back) => {
                return Err(PackError::invalid(&name, "inverse_of", format!("{inverse:?} already is the inverse of {back:?}")));
            }
        };
        if let Some(policy) = policies.get_mut(&inverse) {
            policy.inverse_of.clone_from(&back);
        }
        if back.is_none() {
            if let Some(policy) = policies.get_mut(&name) {
                policy.inverse_of = None;
            }
            continue;
        }
        agree(&name, &inverse, policies, override_of)?;
    }
    Ok(())
}

/// Settles what is one property of a pair: how it lives in time, and each relation's cardinality, which is the other's inverse cardinality.
fn agree<'p>(
    name: &str,
    inverse: &str,
    policies: &mut BTreeMap<String, RelationPolicy>,
    override_of: &dyn Fn(&str) -> Option<&'p Patch>,
) -> Result<(), PackError> {
    let (Some(mut ours), Some(mut theirs)) = (policies.get(name).cloned(), policies.get(inverse).cloned()) else { return Ok(()) };
    let (our_patch, their_patch) = (override_of(name), override_of(inverse));
    // What an override says of the other one is said of this one too, unless this one's own override differs.
    for (policy, first, last) in [(&mut ours, their_patch, our_patch), (&mut theirs, our_patch, their_patch)] {
        for patch in first.into_iter().chain(last) {
            patch.shared.lay_over(policy);
        }
    }
    let cardinality = |name: &str, direct: Option<&Patch>, mirrored: Option<&Patch>, declared: Cardinality| {
        let said = (direct.and_then(|patch| patch.cardinality), mirrored.and_then(|patch| patch.inverse_cardinality));
        match said {
            (Some(direct), Some(mirrored)) if direct != mirrored => {
                Err(PackError::invalid(name, "cardinality", "contradicts the inverse_cardinality set on its inverse"))
            }
            (Some(said), _) | (None, Some(said)) => Ok(said),
            (None, None) => Ok(declared),
        }
    };
    let widest =
        |a: Cardinality, b: Cardinality| if a == Cardinality::One || b == Cardinality::One { Cardinality::One } else { Cardinality::Many };
    let our_cardinality = cardinality(name, our_patch, their_patch, widest(ours.cardinality, theirs.inverse_cardinality))?;
    let their_cardinality = cardinality(inverse, their_patch, our_patch, widest(theirs.cardinality, ours.inverse_cardinality))?;
    (ours.cardinality, ours.inverse_cardinality) = (our_cardinality, their_cardinality);
    (theirs.cardinality, theirs.inverse_cardinality) = (their_cardinality, our_cardinality);
    let mismatch = (ours.kind != theirs.kind, ours.authority != theirs.authority, ours.on_conflict != theirs.on_conflict);
    let field = match mismatch {
        (true, _, _) => "kind",
        (_, true, _) => "authority",
        (_, _, true) => "on_conflict",
        (false, false, false) if ours.ttl_micros != theirs.ttl_micros => "ttl",
        (false, false, false) if ours.resumes != theirs.resumes => "resumes",
        (false, false, false) => {
            policies.insert(name.to_owned(), ours);
            policies.insert(inverse.to_owned(), theirs);
            return Ok(());
        }
    };
    Err(PackError::invalid(name, field, format!("differs from that of its inverse {inverse:?}; the two are one relation")))
}

/// Completes `excludes`: mutual, over the whole class, sorted, naming canonical relations.
fn close_exclusions(policies: &mut BTreeMap<String, RelationPolicy>) -> Result<(), PackError> {
    let mut class_of: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, policy) in &*policies {
        for excluded in &policy.excludes {
            let fault = |reason: String| PackError::invalid(name, "excludes", reason);
            let Some(other) = policies.get(excluded) else {
                return Err(fault(format!("{excluded:?} is not declared; declare it first")));
            };
            let (ours, theirs) = (canonical_name(name, policy, policies), canonical_name(excluded, other, policies));
            if ours == theirs {
                return Err(fault(format!("{excluded:?} is the relation itself")));
            }
            if (ours == name) != (theirs == excluded) {
                return Err(fault(format!("{excluded:?} runs the other way; exclude its inverse")));
            }
            if policy.symmetric != other.symmetric {
                return Err(fault(format!("of {name:?} and {excluded:?} only one is symmetric")));
            }
            let mut class = class_of.remove(ours).unwrap_or_else(|| BTreeSet::from([ours.to_owned()]));
            class.extend(class_of.remove(theirs).unwrap_or_else(|| BTreeSet::from([theirs.to_owned()])));
            for member in &class {
                class_of.insert(member.clone(), class.clone());
            }
        }
    }
    for (name, policy) in policies {
        let class = class_of.get(name).into_iter().flatten();
        policy.excludes = class.filter(|member| *member != name).cloned().collect();
    }
    Ok(())
}

type Names = (FxHashMap<String, usize>, BTreeMap<String, BTreeSet<String>>);

/// Who is called what: declared names first, then the aliases that only one relation claims.
fn name_relations(policies: &BTreeMap<String, RelationPolicy>, places: &BTreeMap<String, usize>) -> Names {
    let mut claimed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, policy) in policies {
        for wording in policy.aliases.iter().flat_map(|(_, wordings)| wordings) {
            let wording = relation_key(wording);
            if !wording.is_empty() && !policies.contains_key(&wording) {
                claimed.entry(wording).or_default().insert(name.clone());
            }
        }
    }
    let mut names: FxHashMap<String, usize> = places.iter().map(|(name, at)| (name.clone(), *at)).collect();
    claimed.retain(|wording, relations| {
        if let (1, Some(at)) = (relations.len(), relations.first().and_then(|only| places.get(only))) {
            names.insert(wording.clone(), *at);
            return false;
        }
        true
    });
    (names, claimed)
}

/// A relation is declared under its normal form, and `*` says only what can be said of a relation nobody knows.
fn check_name(relation: &str, patch: &Patch) -> Result<(), PackError> {
    if relation == UNKNOWN {
        let odd = [
            (patch.inverse_of.is_some(), "inverse_of"),
            (patch.excludes.is_some(), "excludes"),
            (patch.symmetric == Some(true), "symmetric"),
            (!patch.aliases.is_empty(), "aliases"),
        ];
        return match odd.iter().find(|(given, _)| *given) {
            Some((_, field)) => Err(PackError::invalid(relation, field, "cannot be said of every unknown relation")),
            None => Ok(()),
        };
    }
    let key = relation_key(relation);
    if key.is_empty() {
        return Err(PackError::invalid(relation, "name", "a relation needs a name"));
    }
    if key != relation {
        return Err(PackError::invalid(relation, "name", format!("is written {key:?} in a pack")));
    }
    Ok(())
}

/// The tables of a pack file, one for each relation, in name order; `default_cardinality` becomes part of `*`.
fn pack_tables(toml: &str) -> Result<Vec<(String, Table)>, PackError> {
    let unreadable = |reason: String| PackError::Unreadable { what: "pack".to_owned(), reason };
    let mut tables: BTreeMap<String, Table> = BTreeMap::new();
    let mut default = None;
    for (field, value) in read_toml(toml, "pack")? {
        match (field.as_str(), value) {
            ("default_cardinality", value) => default = Some(value),
            ("relation", toml::Value::Table(relations)) => {
                for (name, table) in relations {
                    let toml::Value::Table(table) = table else {
                        return Err(unreadable(format!("relation.{name} is no table")));
                    };
                    tables.insert(name, table);
                }
            }
            (other, _) => {
                return Err(unreadable(format!("unknown key {other:?}; a pack has [relation.NAME] tables and default_cardinality")));
            }
        }
    }
    if let Some(value) = default {
        let table = tables.entry(UNKNOWN.to_owned()).or_default();
        if table.insert("cardinality".to_owned(), value).is_some() {
            return Err(unreadable("default_cardinality and the cardinality of \"*\" are the same thing; give one of them".to_owned()));
        }
    }
    Ok(tables.into_iter().collect())
}

/// Splits a pack file into the bodies of its relations' tables, in name order, as [`Policies::set`] takes them.
///
/// # Errors
/// [`PackError`] if it is no pack, or one of its tables cannot be read.
pub fn split_pack(toml: &str) -> Result<Vec<(String, String)>, PackError> {
    let tables = pack_tables(toml)?;
    let body = |(name, table): (String, Table)| {
        check_name(&name, &Patch::read(&name, &table)?)?;
        Ok((name, table.to_string()))
    };
    tables.into_iter().map(body).collect()
}

fn read_toml(toml: &str, what: &str) -> Result<Table, PackError> {
    toml.parse::<Table>().map_err(|error| {
        let line = error.span().map(|span| toml.bytes().take(span.start).filter(|b| *b == b'\n').count() + 1);
        let place = line.map(|line| format!("line {line}: ")).unwrap_or_default();
        PackError::Unreadable { what: what.to_owned(), reason: format!("{place}{}", error.message()) }
    })
}

#[cfg(test)]
mod tests {
    use super::super::policy_toml;
    use super::*;
    use crate::model::{AuthorityMode, RelationKind};

    fn pack(toml: &str) -> Policies {
        Policies::with_pack(toml).unwrap()
    }

    fn refuse(toml: &str, message: &str) {
        let error = Policies::with_pack(toml).unwrap_err().to_string();
        assert!(error.contains(message), "{toml}: {error}");
    }

    fn check(policies: &Policies, stated: &str, relation: &str, inverted: bool) {
        let canonical = policies.canonical(stated);
        assert_eq!((canonical.relation.as_ref(), canonical.inverted), (relation, inverted), "{stated}");
    }

    #[test]
    fn the_shipped_pack_reads_in_name_order_and_is_described() {
        let policies = Policies::shipped();
        let names: Vec<&str> = policies.iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), 130);
        assert!(names.is_sorted(), "name order");
        for (name, policy) in policies.iter() {
            assert!(policy.description.ends_with('.'), "{name} has its sentence");
            assert!(policy.aliases.iter().any(|(language, wordings)| language == "en" && !wordings.is_empty()), "{name} has a wording");
            assert_eq!(policies.get(name), Some(policy), "{name}");
        }
        assert_eq!(policies.ambiguous().next(), None, "no shipped wording names two relations");
    }

    #[test]
    fn the_shipped_pack_has_the_policies_the_worked_cases_need() {
        let policies = Policies::shipped();
        for one in ["employer", "lives_in", "job_title", "implemented_in", "assigned_to"] {
            assert_eq!(policies.canonical(one).policy.cardinality, Cardinality::One, "{one}");
        }
        for many in ["uses", "works_on", "knows_nobody", "evaluated_on", "administers"] {
            assert_eq!(policies.canonical(many).policy.cardinality, Cardinality::Many, "{many}");
        }
        assert_eq!(policies.canonical("allergy").policy.authority, AuthorityMode::Strict);
        let ceo = policies.canonical("ceo_of").policy;
        assert_eq!((ceo.cardinality, ceo.inverse_cardinality), (Cardinality::Many, Cardinality::One));
        let married = policies.canonical("married_to").policy;
        assert!(married.symmetric && married.inverse_cardinality == Cardinality::One, "one both ways");
        assert_eq!(policies.canonical("likes").policy.excludes, ["dislikes"]);
        assert_eq!(policies.canonical("born_in").policy.kind, RelationKind::Permanent);
        check(&policies, "city", "lives_in", false);
        check(&policies, "has a child", "child_of", true);
    }

    #[test]
    fn names_wordings_and_inverses_lead_to_one_canonical_relation() {
        let policies = Policies::shipped();
        for stated in ["employer", "Employer", "works at", "works_at", "worksAt", "WORKS-AT", "勤務先は"] {
            check(&policies, stated, "employer", false);
            assert!(policies.canonical(stated).known, "{stated}");
        }
        check(&policies, "manages", "reports_to", true);
        check(&policies, "部下は", "reports_to", true);
        check(&policies, "reports_to", "reports_to", false);
        check(&policies, "parent_of", "child_of", true);
        check(&policies, "Frobnicates With", "frobnicates_with", false);
        check(&policies, "P39", "p39", false);
        check(&policies, "http://example.org/worksAt", "http://example.org/worksAt", false);
        assert!(!policies.canonical("Frobnicates With").known, "unknown relations say so");
    }

    #[test]
    fn the_canonical_of_a_pair_has_cardinality_one_then_the_lesser_name_and_takes_over_the_inverse_cardinality() {
        let policies = pack("relation.b.cardinality = 'one'\nrelation.b.inverse_of = 'a'\nrelation.a.cardinality = 'many'");
        check(&policies, "a", "b", true);
        assert_eq!(policies.canonical("a").policy.inverse_cardinality, Cardinality::Many);
        assert_eq!(policies.get("a").unwrap().inverse_of.as_deref(), Some("b"), "the partner knows");
        let both = pack("relation.b.cardinality = 'one'\nrelation.b.inverse_of = 'a'\nrelation.a.cardinality = 'one'");
        check(&both, "b", "a", true);
        assert_eq!(both.canonical("b").policy.inverse_cardinality, Cardinality::One);
        let mirrored = pack("relation.b.inverse_of = 'a'\nrelation.b.inverse_cardinality = 'one'\nrelation.a = {}");
        check(&mirrored, "b", "a", true);
        assert_eq!(mirrored.canonical("b").policy.cardinality, Cardinality::One, "the inverse cardinality of b is the cardinality of a");
    }

    #[test]
    fn an_override_on_either_of_a_pair_holds_for_both() {
        let mut policies = Policies::shipped();
        policies.set("parent_of", Some("kind = 'state'\ninverse_cardinality = 'one'")).unwrap();
        let canonical = policies.canonical("child_of");
        assert_eq!((canonical.policy.kind, canonical.policy.cardinality), (RelationKind::State, Cardinality::One));
        let error = policies.set("child_of", Some("cardinality = 'many'")).unwrap_err().to_string();
        assert!(error.contains("cardinality: contradicts"), "{error}");
        policies.set("parent_of", Some("inverse_of = ''")).unwrap();
        check(&policies, "parent_of", "parent_of", false);
        check(&policies, "child_of", "child_of", false);
        policies.set("parent_of", None).unwrap();
        assert_eq!(policies, Policies::shipped(), "removing an override leaves no trace");
    }

    #[test]
    fn exclusion_is_mutual_and_over_the_whole_class() {
        let policies = pack("relation.a.excludes = ['b']\nrelation.c.excludes = ['b']\nrelation.b = {}\nrelation.d = {}");
        assert_eq!(policies.get("a").unwrap().excludes, ["b", "c"]);
        assert_eq!(policies.get("b").unwrap().excludes, ["a", "c"]);
        assert_eq!(policies.get("d").unwrap().excludes, [""; 0]);
    }

    #[test]
    fn overrides_patch_the_pack_and_star_is_every_unknown_relation() {
        let mut policies = Policies::shipped();
        policies.set("Lives In", Some("cardinality = 'many'")).unwrap();
        let lives_in = policies.get("lives_in").unwrap();
        assert_eq!(lives_in.cardinality, Cardinality::Many);
        assert!(!lives_in.description.is_empty(), "the rest is the pack's");
        policies.set("*", Some("cardinality = 'one'")).unwrap();
        assert_eq!(policies.canonical("P39").policy.cardinality, Cardinality::One);
        policies.set("title_of", Some("on_conflict = 'newest'")).unwrap();
        assert_eq!(policies.get("title_of").unwrap().cardinality, Cardinality::One, "a new relation starts from the default");
        policies.set("works_at", Some("cardinality = 'many'")).unwrap();
        check(&policies, "works at", "works_at", false);
        let names: Vec<&str> = policies.overrides().map(|(name, _)| name).collect();
        assert_eq!(names, ["*", "lives_in", "title_of", "works_at"]);
        assert_eq!(policies.overrides().next(), Some(("*", "cardinality = 'one'")));
    }

    #[test]
    fn a_refused_override_changes_nothing() {
        let mut policies = Policies::shipped();
        for (relation, toml, message) in [
            ("lives_in", "cardinality = 'two'", "relation \"lives_in\", cardinality: wants"),
            ("lives_in", "cardinality", "relation \"lives_in\": line 1: "),
            ("lives_in", "inverse_of = 'housing'", "inverse_of: \"housing\" is not declared"),
            ("lives_in", "excludes = ['housing']", "excludes: \"housing\" is not declared"),
            ("lives_in", "excludes = ['lives_in']", "is the relation itself"),
            ("parent_of", "excludes = ['likes']", "runs the other way"),
            ("friend_of", "excludes = ['likes']", "only one is symmetric"),
            ("lives_in", "inverse_of = 'lives_in'", "is symmetric: set"),
            ("lives_in", "inverse_of = 'manages'", "already is the inverse of \"reports_to\""),
            ("parent_of", "symmetric = true", "symmetric: a symmetric relation is its own inverse"),
            ("*", "inverse_of = 'lives_in'", "cannot be said of every unknown"),
            (" ", "cardinality = 'one'", "needs a name"),
        ] {
            let error = policies.set(relation, Some(toml)).unwrap_err().to_string();
            assert!(error.contains(message), "{relation} {toml}: {error}");
        }
        assert_eq!(policies, Policies::shipped());
    }

    #[test]
    fn packs_name_what_is_wrong_in_them() {
        refuse("relation.a.kind = 'moment'", "relation \"a\", kind: wants");
        refuse("relation.worksAt.kind = 'state'", "is written \"works_at\"");
        refuse("relations.a.kind = 'state'", "unknown key \"relations\"");
        refuse("relation.a = 3", "relation.a is no table");
        refuse("default_cardinality = 'two'", "relation \"*\", cardinality");
        refuse("default_cardinality = 'one'\nrelation.'*'.cardinality = 'one'", "the same thing");
        refuse("\n[relation", "pack: line 2: ");
        refuse("relation.a.inverse_of = 'b'\nrelation.b.kind = 'event'", "relation \"a\", kind: differs from that of its inverse \"b\"");
    }

    #[test]
    fn a_wording_that_two_relations_share_names_neither() {
        let policies =
            pack("relation.a.aliases.en = ['joined', 'b']\nrelation.b.aliases.en = ['Joined']\nrelation.c.aliases.en = ['only c']");
        check(&policies, "joined", "joined", false);
        check(&policies, "b", "b", false);
        check(&policies, "only_c", "c", false);
        let ambiguous: Vec<&str> = policies.ambiguous().map(|(wording, _)| wording).collect();
        assert_eq!(ambiguous, ["joined"]);
    }

    #[test]
    fn relations_of_a_tenant_name_each_other_in_either_order_and_at_once() {
        let declared = |first: &str, second: &str| {
            let mut policies = Policies::shipped();
            policies.set(first, Some("cardinality = 'many'")).unwrap();
            policies.set(second, Some(&format!("excludes = ['{first}']"))).unwrap();
            policies
        };
        for policies in [declared("adores", "abhors"), declared("abhors", "adores")] {
            assert_eq!(policies.get("adores").unwrap().excludes, ["abhors"]);
            assert_eq!(policies.get("abhors").unwrap().excludes, ["adores"]);
        }
        let mut policies = Policies::shipped();
        let error = policies.set("adores", Some("excludes = ['abhors']")).unwrap_err().to_string();
        assert!(error.contains("\"abhors\" is not declared"), "{error}");
        let batch = [("adores", Some("excludes = ['abhors', 'likes']")), ("abhors", Some("excludes = ['adores']"))];
        policies.set_together(batch).unwrap();
        assert_eq!(policies.get("likes").unwrap().excludes, ["abhors", "adores", "dislikes"], "the shipped class grows");
        // The two sides of a pair can only change together where they have to agree.
        policies
            .set_together([("tutors", Some("kind = 'event'\ninverse_of = 'tutored_by'")), ("tutored_by", Some("kind = 'event'"))])
            .unwrap();
        check(&policies, "tutors", "tutored_by", true);
    }

    #[test]
    fn two_relations_cannot_take_one_wording_but_what_was_accepted_stays_readable() {
        let mut policies = Policies::shipped();
        policies.set("tends", Some("aliases.en = ['looks after']")).unwrap();
        let before = policies.clone();
        for (relation, toml, messages) in [
            ("minds", "aliases.en = ['Looks After']", ["\"minds\"", "\"looks_after\" is a wording of \"tends\""]),
            ("minds", "aliases.de = ['works at']", ["\"minds\"", "\"works_at\" is a wording of \"employer\""]),
            ("abets", "aliases.en = ['looks after']", ["\"abets\"", "\"looks_after\" is a wording of \"tends\""]),
            ("minds", "aliases.en = ['lives in']", ["\"minds\"", "\"lives_in\" is the name of another relation"]),
        ] {
            let error = policies.set(relation, Some(toml)).unwrap_err().to_string();
            assert!(messages.iter().all(|message| error.contains(message)), "{relation} {toml}: {error}");
            assert_eq!(policies, before, "{relation} {toml}");
        }
        // A later pack may clash with what a tenant declared: then the wording names neither, and the tenant can still be read.
        policies.set_all([("minds", Some("aliases.en = ['looks after']"))]).unwrap();
        check(&policies, "looks after", "looks_after", false);
        assert_eq!(policies.ambiguous().map(|(wording, _)| wording).collect::<Vec<_>>(), ["looks_after"]);
        policies.set("minds", Some("ttl = '30d'")).unwrap();
        check(&policies, "looks after", "tends", false);
    }

    #[test]
    fn a_wording_leads_to_the_name_it_is_declared_under() {
        let policies = Policies::shipped();
        for (stated, name) in [("works at", Some("employer")), ("部下は", Some("manages")), ("manages", Some("manages")), ("frobs", None)]
        {
            assert_eq!(policies.name_of(stated), name, "{stated}");
        }
    }

    #[test]
    fn every_shipped_policy_survives_its_toml_and_a_pack_splits_into_overrides() {
        let shipped = Policies::shipped();
        let mut overridden = Policies::shipped();
        for (name, policy) in shipped.iter() {
            overridden.set(name, Some(&policy_toml(policy))).unwrap();
        }
        assert!(shipped.iter().eq(overridden.iter()), "writing out what is in force changes nothing");
        let mut split = pack("");
        for (name, body) in split_pack(include_str!("relations.toml")).unwrap() {
            // A pair or a class is complete only when its last table is in; packs are read as a whole, overrides one by one.
            let alone: String =
                body.lines().filter(|line| !line.starts_with("inverse_of") && !line.starts_with("excludes")).collect::<Vec<_>>().join("\n");
            split.set(&name, Some(&alone)).unwrap();
        }
        assert_eq!(split.iter().count(), shipped.iter().count());
        let tables = split_pack("default_cardinality = 'one'\n[relation.a]\nkind = 'event'").unwrap();
        assert_eq!(tables, [("*".to_owned(), "cardinality = \"one\"\n".to_owned()), ("a".to_owned(), "kind = \"event\"\n".to_owned())]);
    }
}
