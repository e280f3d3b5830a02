//! `policy` and `patterns`: what is remembered and what not, whose consent is recorded, and what reads prose. Knows no claim.

use super::args::{Patterns, PolicyWhat};
use super::context::Context;
use super::fail::{DONE, Failure};
use super::hand::written_by_hand;
use super::output::{Paint, Screen, clean};
use super::read::{Outcome, print_json};
use crate::policy::{WritePolicy, write_policy_toml};
use serde_json::json;

/// `policy …`.
pub(super) fn policy(context: &Context, screen: &mut Screen<'_>, what: &PolicyWhat) -> Outcome {
    if let PolicyWhat::Show { shipped: false } | PolicyWhat::Consents | PolicyWhat::Consent { withdraw: true, .. } = what {
        must_exist(context)?;
    }
    match what {
        PolicyWhat::Show { shipped: true } => print_policy(context, screen, WritePolicy::shipped_toml()),
        PolicyWhat::Show { shipped: false } => print_policy(context, screen, &write_policy_toml(&context.tenant.write_policy()?)),
        PolicyWhat::Check { file } => {
            let toml = written_by_hand(file)?;
            WritePolicy::parse(&toml).map_err(|error| Failure::given("FILE", &file.display().to_string(), error.to_string(), NEXT))?;
            said(context, screen, "policy check", "it is a policy; nothing was set", json!({ "valid": true }))
        }
        PolicyWhat::Set { file } => {
            let changed = context.tenant.set_write_policy(Some(&written_by_hand(file)?))?;
            let done =
                if changed { "the policy is set; it holds for what comes in from now on" } else { "nothing changed: it is set already" };
            let wants_vault = context.tenant.write_policy()?.wants_vault();
            said(context, screen, "policy set", done, json!({ "changed": changed, "vault_missing": wants_vault }))?;
            if wants_vault && !context.json {
                screen.line("  mask.vault: only a program can pass a vault; by this command, masked values are gone")?;
            }
            Ok(DONE)
        }
        PolicyWhat::Unset => {
            let changed = context.tenant.set_write_policy(None)?;
            let done = if changed { "the shipped policy is in force" } else { "nothing changed: the shipped policy was in force" };
            said(context, screen, "policy unset", done, json!({ "changed": changed }))
        }
        PolicyWhat::Consents => consents(context, screen),
        PolicyWhat::Consent { category, subject, withdraw } => {
            let changed = context.tenant.consent(subject.as_deref(), category, !withdraw)?;
            let whose = subject.as_deref().map_or_else(|| "everyone".to_owned(), clean);
            let done = match (changed, withdraw) {
                (true, false) => format!("{} may be remembered of {whose}", clean(category)),
                (true, true) => format!("{} of {whose} is remembered no more; what is stored stays until it is erased", clean(category)),
                (false, false) => "nothing changed: the consent is recorded already".to_owned(),
                (false, true) => "nothing changed: there was no such consent".to_owned(),
            };
            let body = json!({ "category": category, "subject": subject, "given": !withdraw, "changed": changed });
            said(context, screen, "policy consent", &done, body)
        }
    }
}

/// Reading a tenant that does not exist is an error, also where the shipped rules would be an answer: a name may be misspelt.
fn must_exist(context: &Context) -> Result<(), Failure> {
    context.tenant.policies()?;
    Ok(())
}

/// What to do about a file that is no policy.
const NEXT: &str = "`erstwhile policy show --shipped` prints one with every field explained";

fn print_policy(context: &Context, screen: &mut Screen<'_>, toml: &str) -> Outcome {
    if context.json {
        print_json(screen, context, "policy show", None, json!({ "toml": toml }))?;
    } else {
        screen.raw().write_all(toml.as_bytes())?;
    }
    Ok(DONE)
}

fn consents(context: &Context, screen: &mut Screen<'_>) -> Outcome {
    let consents = context.tenant.consents()?;
    if context.json {
        let listed: Vec<_> = consents.iter().map(|(subject, category)| json!({ "subject": subject, "category": category })).collect();
        print_json(screen, context, "policy consents", None, json!({ "consents": listed }))?;
        return Ok(DONE);
    }
    let rows: Vec<_> = consents
        .iter()
        .map(|(subject, category)| {
            vec![(Paint::Bold, subject.map_or_else(|| "everyone".to_owned(), clean)), (Paint::Plain, clean(category))]
        })
        .collect();
    if rows.is_empty() {
        screen.line("no consent is recorded")?;
    }
    screen.table(0, &rows)?;
    Ok(DONE)
}

/// `patterns …`.
pub(super) fn patterns(context: &Context, screen: &mut Screen<'_>, what: &Patterns) -> Outcome {
    match what {
        Patterns::Show { language } => {
            must_exist(context)?;
            let toml = context.tenant.patterns(language)?;
            if context.json {
                print_json(screen, context, "patterns show", None, json!({ "language": language, "toml": toml }))?;
            } else if let Some(toml) = toml {
                screen.raw().write_all(toml.as_bytes())?;
            } else {
                screen.line("the tenant has no patterns of its own")?;
            }
            Ok(DONE)
        }
        Patterns::Set { language, file } => {
            let changed = context.tenant.set_patterns(language, Some(&written_by_hand(file)?))?;
            let done = if changed {
                "the patterns are set; they hold for what comes in from now on"
            } else {
                "nothing changed: they are set already"
            };
            said(context, screen, "patterns set", done, json!({ "language": language, "changed": changed }))
        }
        Patterns::Unset { language } => {
            let changed = context.tenant.set_patterns(language, None)?;
            let done = if changed { "the shipped patterns alone are in force" } else { "nothing changed: there were no others" };
            said(context, screen, "patterns unset", done, json!({ "language": language, "changed": changed }))
        }
    }
}

fn said(context: &Context, screen: &mut Screen<'_>, command: &str, done: &str, body: serde_json::Value) -> Outcome {
    if context.json {
        print_json(screen, context, command, None, body)?;
    } else {
        screen.line(done)?;
    }
    Ok(DONE)
}
