//! Asking a tenant in words. Knows neither how a question is read nor how it is answered: it brings the view, the policies and the time.

use super::{Error, Tenant};
use crate::graph::RelationId;
use crate::retrieve::answer::{self, Outcome, Query};
use crate::retrieve::question::Lexicon;
use crate::time::AsOf;

impl Tenant {
    /// Answers a question in English or Japanese: "Who was chief executive of Orb in 2019?", 「2019年の北斗社の社長は誰?」. The as-of is where questions are
    /// read that name no time; one that they name is valid time. What is not understood or not known is a value and says why.
    ///
    /// # Errors
    /// As [`Tenant::at`].
    ///
    /// # Complexity
    /// Needs the whole tenant loaded; then the question's words, and the facts of each relation they may mean, of the entities on the way.
    ///
    /// ```
    /// use erstwhile::observe::{ReadOptions, Reader};
    /// use erstwhile::retrieve::answer::{Outcome, Query};
    /// use erstwhile::time::Zone;
    /// use erstwhile::{Memory, TenantId};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let kai = Memory::open(folder.path())?.tenant(&TenantId::new("kai")?);
    /// let input = r#"{"observed_at": "2024-05-01T09:00:00Z", "head": "Kai", "relation": "lives_in", "tail": "Oslo", "from": "2015"}
    ///                {"observed_at": "2024-05-01T09:00:00Z", "head": "Kai", "relation": "lives_in", "tail": "Turin", "from": "2018-09"}"#;
    /// let incoming = Reader::new(input.as_bytes(), ReadOptions::default())?.collect::<Result<Vec<_>, _>>()?;
    /// kai.remember(incoming.into_iter().flatten().collect())?;
    ///
    /// let now = kai.now();
    /// let query = Query { text: "Where did Kai live in 2016?", asked_at: now.valid_at.lo(), zone: Zone::UTC, asker: "user" };
    /// let Outcome::Answered(answers) = kai.ask(now, &query)? else { panic!("it is known") };
    /// assert_eq!(answers.answers[0].term.to_string(), "Oslo");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ask(&self, as_of: AsOf, query: &Query<'_>) -> Result<Outcome, Error> {
        let view = self.at(as_of)?;
        let policies = self.policies()?;
        let names = (0..).map_while(|number| view.relation(RelationId(number)));
        let undeclared: Vec<&str> = names.filter(|name| policies.get(name).is_none()).collect();
        let lexicon = Lexicon::new(&policies, undeclared);
        Ok(answer::ask(&view, &lexicon, query))
    }
}
