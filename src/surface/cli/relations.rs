//! `relations`: which relations there are, how their values compete, and overriding that. Knows nothing of facts.

use super::args::Relations;
use super::context::Context;
use super::fail::{DONE, Failure};
use super::hand::written_by_hand;
use super::output::{Paint, Screen, clean, count};
use super::read::{Outcome, print_json};
use super::words::quoted;
use super::write::changed;
use crate::graph::{Applied, ReadError};
use crate::memory::ErrorKind;
use crate::model::RelationPolicy;
use crate::policy::{Policies, policy_toml, split_pack};
use crate::surface::transfer;
use serde_json::json;
use std::path::Path;
use std::sync::Arc;

/// `relations …`.
pub(super) fn relations(context: &Context, screen: &mut Screen<'_>, what: &Relations) -> Outcome {
    match what {
        Relations::List { unknown } => list(context, screen, *unknown),
        Relations::Show { name } => show(context, screen, name),
        Relations::Set { name, fields } => set(context, screen, name, fields),
        Relations::Load { file } => load(context, screen, file),
        Relations::Unset { name } => unset(context, screen, name),
    }
}

/// A relation as its override is filed: the declared one that the name is a wording of, else the name itself; and a sentence that says so.
fn meant(policies: &Policies, asked: &str) -> (String, Option<String>) {
    let name = policies.name_of(asked).unwrap_or(asked).to_owned();
    let canonical = policies.canonical(asked);
    let said = if policies.is_wording(asked) {
        Some(format!("{} is a wording of {}", clean(asked), clean(&name)))
    } else if canonical.inverted {
        Some(format!("{} is {} from tail to head", clean(&name), clean(&canonical.relation)))
    } else {
        None
    };
    (name, said)
}

/// The tenant's policies; the shipped ones where there is no tenant yet.
fn policies_or_shipped(context: &Context) -> Result<Arc<Policies>, Failure> {
    match context.tenant.policies() {
        // A first override may be what creates the tenant.
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Arc::new(Policies::shipped())),
        policies => Ok(policies?),
    }
}

fn set(context: &Context, screen: &mut Screen<'_>, asked: &str, fields: &[String]) -> Outcome {
    let policies = policies_or_shipped(context)?;
    let (name, said) = meant(&policies, asked);
    let earlier = override_of(&policies, &name).and_then(|toml| toml.parse().ok()).unwrap_or_default();
    let (toml, table) = laid_over(earlier, fields)?;
    let applied = context.tenant.set_policy(&name, Some(&toml))?;
    let said = said.map(|said| format!("{said}; ")).unwrap_or_default();
    let done = format!("{said}{} is now {}", clean(&name), clean(&in_one_line(&table)));
    changed(context, screen, "relations set", &applied, &done, json!({ "relation": name, "asked": asked }))
}

fn load(context: &Context, screen: &mut Screen<'_>, file: &Path) -> Outcome {
    let toml = written_by_hand(file)?;
    let tables = split_pack(&toml).map_err(|error| Failure::Memory(error.into()))?;
    if tables.is_empty() {
        let what = file.display().to_string();
        return Err(Failure::given("FILE", &what, "it declares no relation", "a table looks like `[relation.mentors]`"));
    }
    let given: Vec<(&str, Option<&str>)> = tables.iter().map(|(name, toml)| (name.as_str(), Some(toml.as_str()))).collect();
    let applied = context.tenant.set_policies(&given)?;
    let names: Vec<&str> = given.iter().map(|(name, _)| *name).collect();
    let done = format!("{} as the file says: {}", count(names.len() as u64, "relation is", "relations are"), clean(&names.join(", ")));
    changed(context, screen, "relations load", &applied, &done, json!({ "relations": names }))
}

fn unset(context: &Context, screen: &mut Screen<'_>, asked: &str) -> Outcome {
    let policies = context.tenant.policies()?;
    let (name, said) = meant(&policies, asked);
    let said = said.map(|said| format!("{said}; ")).unwrap_or_default();
    let (applied, done) = if override_of(&policies, &name).is_some() {
        (context.tenant.set_policy(&name, None)?, format!("{said}{} is as declared again", clean(&name)))
    } else if policies.get(&name).is_some() {
        (Applied::default(), format!("{said}{} has no override here: nothing changed", clean(&name)))
    } else {
        return Err(ReadError::UnknownRelation(asked.to_owned()).into());
    };
    changed(context, screen, "relations unset", &applied, &done, json!({ "relation": name, "asked": asked }))
}

fn override_of<'p>(policies: &'p Policies, name: &str) -> Option<&'p str> {
    let key = policies.name_of(name).unwrap_or(name);
    policies.overrides().find(|(relation, _)| *relation == key).map(|(_, toml)| toml)
}

/// The fields of an override on one line: `cardinality = "one", aliases.en = ["joins"]`.
fn in_one_line(table: &toml::Table) -> String {
    let mut fields = Vec::new();
    for (key, value) in table {
        match value.as_table() {
            Some(inner) => fields.extend(inner.iter().map(|(language, wordings)| format!("{key}.{language} = {wordings}"))),
            None => fields.push(format!("{key} = {value}")),
        }
    }
    fields.join(", ")
}

fn list(context: &Context, screen: &mut Screen<'_>, only_unknown: bool) -> Outcome {
    let policies = context.tenant.policies()?;
    let unknown = context.tenant.stats()?.unknown_relations;
    if context.json {
        let mut relations: Vec<_> = if only_unknown {
            Vec::new()
        } else {
            policies.iter().map(|(name, policy)| json!({ "name": name, "declared": true, "policy": transfer::policy(policy) })).collect()
        };
        relations.extend(unknown.iter().map(|(name, claims)| json!({ "name": name, "declared": false, "claims": claims })));
        print_json(screen, context, "relations list", None, json!({ "relations": relations }))?;
        return Ok(DONE);
    }
    if !only_unknown {
        let rows: Vec<_> = policies
            .iter()
            .map(|(name, policy)| {
                vec![(Paint::Bold, clean(name)), (Paint::Plain, summary(policy)), (Paint::Dim, clean(&policy.description))]
            })
            .collect();
        screen.table(0, &rows)?;
    }
    let rows: Vec<_> = unknown
        .iter()
        .map(|(name, claims)| {
            vec![(Paint::Bold, clean(name)), (Paint::Warn, "undeclared".to_owned()), (Paint::Dim, count(*claims, "claim", "claims"))]
        })
        .collect();
    screen.table(0, &rows)?;
    match unknown.first() {
        Some((name, _)) => {
            let set = context.paste.command(&format!("relations set {} cardinality=one", quoted(&clean(name))));
            screen.pieces(&[(Paint::Dim, &format!("to declare one: {set}"))])?;
        }
        None if only_unknown => screen.line("every relation in use is declared")?,
        None => {}
    }
    Ok(DONE)
}

/// What sets a policy apart, in a few words.
fn summary(policy: &RelationPolicy) -> String {
    let mut words = vec![transfer::cardinality(policy.cardinality).to_owned()];
    if policy.inverse_cardinality == crate::model::Cardinality::One {
        words.push("inverse one".to_owned());
    }
    if policy.kind != crate::model::RelationKind::State {
        words.push(transfer::relation_kind(policy.kind).to_owned());
    }
    if policy.symmetric {
        words.push("symmetric".to_owned());
    }
    if policy.authority != crate::model::AuthorityMode::Ranked {
        words.push(transfer::authority_mode(policy.authority).to_owned());
    }
    if policy.sensitive {
        words.push("sensitive".to_owned());
    }
    words.join(", ")
}

fn show(context: &Context, screen: &mut Screen<'_>, name: &str) -> Outcome {
    let policies = context.tenant.policies()?;
    let canonical = policies.canonical(name);
    if context.json {
        let body = json!({
            "asked": name,
            "name": canonical.relation,
            "inverted": canonical.inverted,
            "declared": canonical.known,
            "policy": transfer::policy(canonical.policy),
        });
        print_json(screen, context, "relations show", None, body)?;
        return Ok(DONE);
    }
    screen.pieces(&[
        (Paint::Bold, &clean(&canonical.relation)),
        (Paint::Warn, if canonical.known { "" } else { "   undeclared: the defaults hold" }),
    ])?;
    if canonical.inverted {
        screen.line(&format!("  {} says the same from tail to head", clean(name)))?;
    }
    for line in policy_toml(canonical.policy).lines() {
        screen.line(&format!("  {}", clean(line)))?;
    }
    Ok(DONE)
}

/// The TOML body that `KEY=VALUE` fields mean, as text and as a table: flags and lists by the field's name, everything else as text or a number.
fn laid_over(mut table: toml::Table, fields: &[String]) -> Result<(String, toml::Table), Failure> {
    for field in fields {
        let Some((key, value)) = field.split_once('=') else {
            return Err(Failure::given("KEY=VALUE", field, "there is no `=` in it", "for example `cardinality=one`"));
        };
        let (key, value) = (key.trim(), value.trim());
        let list = || {
            toml::Value::Array(
                value.split(',').map(str::trim).filter(|item| !item.is_empty()).map(|item| toml::Value::String(item.to_owned())).collect(),
            )
        };
        if let Some((outer, inner)) = key.split_once('.') {
            let entry = table.entry(outer.to_owned()).or_insert_with(|| toml::Value::Table(toml::Table::new()));
            if let Some(languages) = entry.as_table_mut() {
                languages.insert(inner.to_owned(), list());
            }
            continue;
        }
        let parsed = match key {
            "excludes" | "domain" | "range" => list(),
            "description" | "inverse_of" => toml::Value::String(value.to_owned()),
            _ => match value.parse::<bool>() {
                Ok(flag) => toml::Value::Boolean(flag),
                Err(_not_a_flag) => {
                    value.parse::<i64>().map_or_else(|_not_a_number| toml::Value::String(value.to_owned()), toml::Value::Integer)
                }
            },
        };
        table.insert(key.to_owned(), parsed);
    }
    let text = toml::to_string(&table)
        .map_err(|error| Failure::given("KEY=VALUE", &fields.join(" "), error.to_string(), "for example `cardinality=one`"))?;
    Ok((text, table))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_become_toml_of_their_own_type() {
        let fields =
            ["cardinality=one", "symmetric=true", "excludes=likes, loves", "aliases.en=works at,is with", "ttl=90d"].map(str::to_owned);
        let table: toml::Table = toml::from_str(&laid_over(toml::Table::new(), &fields).unwrap().0).unwrap();
        assert_eq!(table["cardinality"].as_str(), Some("one"));
        assert_eq!(table["symmetric"].as_bool(), Some(true));
        assert_eq!(table["excludes"].as_array().map(Vec::len), Some(2));
        assert_eq!(table["aliases"]["en"][1].as_str(), Some("is with"));
        assert_eq!(table["ttl"].as_str(), Some("90d"));
    }

    #[test]
    fn a_field_without_a_value_is_named() {
        let error = laid_over(toml::Table::new(), &["cardinality".to_owned()]).unwrap_err();
        assert!(error.to_string().contains("cardinality"), "{error}");
    }
}
