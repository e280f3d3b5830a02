//! Commands that are printed to be pasted: they repeat the flags that say where, so that they act on the same memory, tenant and graph.
//! Knows no command's meaning.

use super::args::Global;
use super::output::clean;
use super::words::quoted;
use std::path::PathBuf;

/// The memory that commands without `--memory` mean.
pub(super) const DEFAULT_MEMORY: &str = "erstwhile-memory";
/// The tenant that commands without `--tenant` mean.
pub(super) const DEFAULT_TENANT: &str = "default";

/// The flags that a printed command has to repeat.
#[derive(Clone, Debug, Default)]
pub(super) struct Paste {
    memory: String,
    tenant: String,
}

impl Paste {
    /// The flags that differ from what a command without them means, the environment included.
    pub(super) fn of(global: &Global) -> Self {
        let usual = std::env::var_os("ERSTWHILE_MEMORY").map_or_else(|| PathBuf::from(DEFAULT_MEMORY), PathBuf::from);
        Self::differing(global, &usual)
    }

    fn differing(global: &Global, usual_memory: &std::path::Path) -> Self {
        let flag = |name: &str, value: &str| format!(" --{name} {}", quoted(&clean(value)));
        Self {
            memory: if global.memory == usual_memory { String::new() } else { flag("memory", &global.memory.display().to_string()) },
            tenant: if global.tenant == DEFAULT_TENANT { String::new() } else { flag("tenant", &global.tenant) },
        }
    }

    /// `erstwhile COMMAND` with the flags.
    pub(super) fn command(&self, command: &str) -> String {
        format!("erstwhile {command}{}{}", self.memory, self.tenant)
    }

    /// The same for a reading command, of a named graph if one is read.
    pub(super) fn reading(&self, command: &str, context: Option<&str>) -> String {
        let context = context.map(|iri| format!(" --context {}", quoted(&clean(iri)))).unwrap_or_default();
        self.command(&format!("{command}{context}"))
    }

    /// A sentence with the flags added to the commands it quotes (`` `erstwhile …` ``); those that list tenants need no tenant, and
    /// those that ask for help need nothing.
    pub(super) fn fill(&self, sentence: &str) -> String {
        let mut filled = String::with_capacity(sentence.len());
        for (at, part) in sentence.split('`').enumerate() {
            if at > 0 {
                filled.push('`');
            }
            filled.push_str(part);
            if at % 2 == 1
                && let Some(command) = part.strip_prefix("erstwhile ")
                && !command.ends_with("--help")
            {
                filled.push_str(&self.memory);
                filled.push_str(if command == "tenants" { "" } else { &self.tenant });
            }
        }
        filled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paste(memory: &str, tenant: &str) -> Paste {
        let global =
            Global { memory: memory.into(), tenant: tenant.to_owned(), json: false, zone: "UTC".to_owned(), extractor: "rules".to_owned() };
        Paste::differing(&global, std::path::Path::new(DEFAULT_MEMORY))
    }

    #[test]
    fn flags_are_repeated_where_they_were_given() {
        assert_eq!(paste(DEFAULT_MEMORY, DEFAULT_TENANT).command("stats"), "erstwhile stats");
        let other = paste("my memory", "t2");
        assert_eq!(other.command("stats"), "erstwhile stats --memory 'my memory' --tenant t2");
        assert_eq!(other.reading("about Ida", Some("urn:x")), "erstwhile about Ida --context urn:x --memory 'my memory' --tenant t2");
    }

    #[test]
    fn commands_inside_a_sentence_get_them_too() {
        let sentence = "`erstwhile tenants` lists them, `erstwhile stats` counts, `erstwhile why --help` helps, `--tenant` names one";
        assert_eq!(
            paste(DEFAULT_MEMORY, "t2").fill(sentence),
            "`erstwhile tenants` lists them, `erstwhile stats --tenant t2` counts, `erstwhile why --help` helps, `--tenant` names one"
        );
    }
}
