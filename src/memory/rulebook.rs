//! What a tenant takes observations in by: its write policy, the consents given, its relations. Read from its settings, kept until they change.
//!
//! Knows what the settings are called; what they mean is the policy's.

use super::{Error, Tenant};
use crate::extract::rules::{PatternError, RULES};
use crate::extract::{Extractor, Rules};
use crate::ledger::{Ledger, LedgerError};
use crate::policy::{Consents, OTHER, Policies, WritePolicy, WritePolicyError};
use std::sync::Arc;

/// The setting that holds the tenant's own write policy, as TOML laid over the shipped one.
pub(super) const WRITE_POLICY: &str = "write-policy";
/// The setting that holds the consents given, as TOML.
pub(super) const CONSENTS: &str = "consents";

/// The languages that have patterns, each with the setting that holds the tenant's own, as TOML laid over the shipped ones.
const PATTERNS: [(&str, &str); 2] = [("en", ENGLISH), ("ja", JAPANESE)];
const ENGLISH: &str = "patterns-en";
const JAPANESE: &str = "patterns-ja";

/// The rules in force for what comes in.
#[derive(Clone, Debug)]
pub(super) struct Rulebook {
    pub(super) policy: WritePolicy,
    pub(super) consents: Consents,
    pub(super) relations: Arc<Policies>,
}

impl Rulebook {
    /// Makes the rules of a tenant's settings; a setting that is not there is the shipped one.
    ///
    /// # Errors
    /// [`Error::Setting`] for one that cannot be read.
    pub(super) fn new(policy: Option<&str>, consents: Option<&str>, relations: Arc<Policies>) -> Result<Self, Error> {
        Ok(Self {
            policy: policy.map_or_else(|| Ok(WritePolicy::shipped()), WritePolicy::parse).map_err(unreadable(WRITE_POLICY))?,
            consents: consents.map_or_else(|| Ok(Consents::default()), Consents::parse).map_err(unreadable(CONSENTS))?,
            relations,
        })
    }
}

/// The write policy in force by the settings of a ledger.
///
/// # Errors
/// [`Error::Setting`] for one that cannot be read; what the ledger says.
pub(super) fn policy_of(ledger: &mut dyn Ledger) -> Result<WritePolicy, Error> {
    let set = ledger.setting(WRITE_POLICY)?;
    set.as_deref().map_or_else(|| Ok(WritePolicy::shipped()), WritePolicy::parse).map_err(unreadable(WRITE_POLICY))
}

fn unreadable(name: &'static str) -> impl Fn(WritePolicyError) -> Error {
    move |error| Error::Setting { name, reason: error.to_string() }
}

/// What packs of patterns make of the shipped rules.
///
/// # Errors
/// [`Error::Setting`] names the language's setting, the relation and the pattern.
fn rules(english: Option<&str>, japanese: Option<&str>) -> Result<Rules, Error> {
    let unreadable = |name| move |error: PatternError| Error::Setting { name, reason: error.to_string() };
    let rules = match english {
        Some(toml) => Rules::with_english(&[toml]).map_err(unreadable(ENGLISH))?,
        None => Rules::default(),
    };
    match japanese {
        Some(toml) => rules.with_japanese(&[toml]).map_err(unreadable(JAPANESE)),
        None => Ok(rules),
    }
}

fn patterns_of(language: &str) -> Result<&'static str, Error> {
    let found = PATTERNS.iter().find(|(known, _)| *known == language).map(|(_, setting)| *setting);
    found.ok_or_else(|| Error::NotFound { what: "patterns of the language", name: language.to_owned() })
}

impl Tenant {
    /// The rules in force for what comes in; the shipped ones where the tenant does not exist yet.
    pub(super) fn rulebook(&self) -> Result<Rulebook, Error> {
        let set = self.shared().read(|ledger| Ok((ledger.setting(WRITE_POLICY)?, ledger.setting(CONSENTS)?)));
        let (policy, consents) = match set {
            Err(Error::Ledger(LedgerError::UnknownTenant { .. })) => {
                return Rulebook::new(None, None, Arc::new(Policies::shipped()));
            }
            set => set?,
        };
        Rulebook::new(policy.as_deref(), consents.as_deref(), self.policies()?)
    }

    /// The write policy in force: what is remembered and what not, what is masked. The shipped one where the tenant has none of its own.
    ///
    /// # Errors
    /// [`Error::Setting`] for one that cannot be read; [`Error::Ledger`].
    pub fn write_policy(&self) -> Result<WritePolicy, Error> {
        Ok(self.rulebook()?.policy)
    }

    /// Sets the tenant's own write policy, TOML that is laid over the shipped one, or takes it back. It is in force for what comes in from
    /// now on; what is stored stays as it is. Creates the tenant. Says whether that changed anything.
    ///
    /// # Errors
    /// [`Error::Setting`] naming the line; nothing is changed then.
    ///
    /// ```
    /// use erstwhile::{Memory, TenantId};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let tenant = Memory::open(folder.path())?.tenant(&TenantId::new("t")?);
    /// let error = tenant.set_write_policy(Some("[limits]\ntxt = 5")).unwrap_err();
    /// assert!(error.to_string().contains("line 2"), "{error}");
    /// assert!(tenant.set_write_policy(Some("[authority.tool]\ncredibility = 0.2"))?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_write_policy(&self, toml: Option<&str>) -> Result<bool, Error> {
        toml.map(WritePolicy::parse).transpose().map_err(unreadable(WRITE_POLICY))?;
        self.set_setting(WRITE_POLICY, toml)
    }

    /// The extractor for what comes in: `usual`, or where that goes by rules and the tenant has patterns of its own, those rules with its
    /// patterns.
    pub(super) fn reads_by(&self, usual: Arc<dyn Extractor>) -> Result<Arc<dyn Extractor>, Error> {
        if usual.name() != RULES {
            return Ok(usual);
        }
        let (english, japanese) = (self.setting_if_there(ENGLISH)?, self.setting_if_there(JAPANESE)?);
        if english.is_none() && japanese.is_none() {
            return Ok(usual);
        }
        let rules = self.shared().compiled([english, japanese], |[english, japanese]| rules(english.as_deref(), japanese.as_deref()))?;
        Ok(rules)
    }

    fn setting_if_there(&self, name: &str) -> Result<Option<String>, Error> {
        match self.setting(name) {
            Err(Error::Ledger(LedgerError::UnknownTenant { .. })) => Ok(None),
            setting => setting,
        }
    }

    /// The tenant's own patterns of a language, as TOML; `None` where it has none.
    ///
    /// # Errors
    /// [`Error::NotFound`] for a language without patterns; [`Error::Ledger`].
    pub fn patterns(&self, language: &str) -> Result<Option<String>, Error> {
        self.setting_if_there(patterns_of(language)?)
    }

    /// Sets the tenant's own patterns of a language, or takes them back. They are in force for what comes in from now on. Creates the tenant.
    /// Says whether that changed anything.
    ///
    /// # Errors
    /// [`Error::Setting`] naming the relation and the pattern that cannot be read, [`Error::NotFound`] for a language without patterns;
    /// nothing is changed then.
    pub fn set_patterns(&self, language: &str, toml: Option<&str>) -> Result<bool, Error> {
        let setting = patterns_of(language)?;
        if setting == JAPANESE {
            rules(None, toml)?;
        } else {
            rules(toml, None)?;
        }
        self.set_setting(setting, toml)
    }

    /// The consents that are recorded.
    ///
    /// # Errors
    /// As [`Tenant::write_policy`].
    pub fn consents(&self) -> Result<Consents, Error> {
        Ok(self.rulebook()?.consents)
    }

    /// Records that somebody (`None` is everyone) consents to the memory of a sensitive category, or takes that back (`given: false`). What
    /// was stored under a consent stays until it is erased. Creates the tenant. Says whether that changed anything.
    ///
    /// # Errors
    /// [`Error::Setting`] for a category that the write policy does not have, or a blank subject; [`Error::Ledger`].
    ///
    /// ```
    /// use erstwhile::{Memory, TenantId};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let tenant = Memory::open(folder.path())?.tenant(&TenantId::new("t")?);
    /// assert!(tenant.consent(Some("Ana"), "health", true)?);
    /// assert!(tenant.consents()?.allow("ana", "health"));
    /// assert!(tenant.consent(Some("Ana"), "heath", true).is_err(), "there is no such category");
    /// assert!(tenant.consent(Some("Ana"), "other", true)?, "what is sensitive and in no category");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn consent(&self, subject: Option<&str>, category: &str, given: bool) -> Result<bool, Error> {
        let Rulebook { policy, mut consents, .. } = self.rulebook()?;
        let known: Vec<&str> = policy.categories().chain([OTHER]).collect();
        if !known.contains(&category) {
            let reason = format!("there is no category {category:?}; the categories are {}", known.join(", "));
            return Err(Error::Setting { name: CONSENTS, reason });
        }
        let changed =
            if given { consents.grant(subject, category).map_err(unreadable(CONSENTS))? } else { consents.withdraw(subject, category) };
        if changed {
            let toml = consents.to_toml();
            self.set_setting(CONSENTS, (!toml.is_empty()).then_some(&*toml))?;
        }
        Ok(changed)
    }
}
