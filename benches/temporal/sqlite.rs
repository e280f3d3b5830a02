//! Native SQLite with covering indexes, through prepared statements; walks are a breadth-first search in the client.

use super::data::{Data, OPEN};
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::HashSet;
use std::path::Path;

/// A SQLite file of the data set.
pub struct Sqlite {
    connection: Connection,
}

const TABLE: &str = "CREATE TABLE f(fid INTEGER PRIMARY KEY, h INT, r INT, t INT, vf INT, vt INT);";
const INDEXES: &str = "CREATE INDEX i1 ON f(h,r,vf,vt,t); CREATE INDEX i2 ON f(t,vf,vt,h,r);";

impl Sqlite {
    /// An empty file in the mode our ledger uses: WAL, FULL.
    pub fn create(path: &Path, indexes_first: bool) -> Self {
        let connection = Connection::open(path).expect("a new file");
        connection
            .execute_batch("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-262144; PRAGMA temp_store=MEMORY;")
            .expect("pragmas");
        connection.execute_batch(TABLE).expect("table");
        if indexes_first {
            connection.execute_batch(INDEXES).expect("indexes");
        }
        Self { connection }
    }

    /// Inserts all rows in one transaction, durable at the end; creates the covering indexes afterwards if they are not there.
    pub fn load(&mut self, data: &Data, indexes_first: bool) {
        let tx = self.connection.transaction().expect("begin");
        {
            let mut insert = tx.prepare("INSERT INTO f VALUES(?,?,?,?,?,?)").expect("prepare");
            for (fid, row) in data.rows.iter().enumerate() {
                insert.execute(params![fid as i64, row.head, row.relation, row.tail, row.from, row.to]).expect("insert");
            }
            if !indexes_first {
                tx.execute_batch(INDEXES).expect("indexes");
            }
        }
        tx.commit().expect("commit");
        self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).expect("checkpoint");
    }

    pub fn questions(&self) -> Questions<'_> {
        let prepare = |sql| self.connection.prepare(sql).expect("prepare");
        Questions {
            point: prepare("SELECT t FROM f WHERE h=?1 AND r=?2 AND vf<=?3 AND vt>?3 ORDER BY vf DESC LIMIT 1"),
            out: prepare("SELECT t,r FROM f WHERE h=?1 AND vf<=?2 AND vt>?2"),
            back: prepare("SELECT h,r FROM f WHERE t=?1 AND vf<=?2 AND vt>?2"),
        }
    }

    /// One durable commit of one row.
    pub fn insert_one(&self, head: u32, relation: u32, tail: u32, from: i64) {
        self.connection
            .prepare_cached("INSERT INTO f(h,r,t,vf,vt) VALUES(?,?,?,?,?)")
            .and_then(|mut statement| statement.execute(params![head, relation, tail, from, OPEN]))
            .expect("insert");
    }
}

/// The prepared questions.
pub struct Questions<'a> {
    point: rusqlite::Statement<'a>,
    out: rusqlite::Statement<'a>,
    back: rusqlite::Statement<'a>,
}

impl Questions<'_> {
    pub fn point(&mut self, head: u32, relation: u32, at: i64) -> i64 {
        self.point.query_row(params![head, relation, at], |row| row.get(0)).optional().expect("query").unwrap_or(-1)
    }

    pub fn entity(&mut self, entity: u32, at: i64) -> (u64, u64) {
        let (mut count, mut sum) = (0, 0);
        for (statement, outgoing) in [(&mut self.out, true), (&mut self.back, false)] {
            let mut rows = statement.query(params![entity, at]).expect("query");
            while let Some(row) = rows.next().expect("row") {
                count += 1;
                sum += super::mix(row.get_unwrap(0), row.get_unwrap(1), outgoing);
            }
        }
        (count, sum)
    }

    pub fn hops(&mut self, hub: &[bool], seed: u32, at: i64, hops: u32) -> (u64, u64) {
        let mut seen = HashSet::from([seed]);
        let mut frontier = vec![seed];
        for _ in 0..hops {
            let mut next = Vec::new();
            for &entity in &frontier {
                if entity != seed && hub[entity as usize] {
                    continue;
                }
                for statement in [&mut self.out, &mut self.back] {
                    let mut rows = statement.query(params![entity, at]).expect("query");
                    while let Some(row) = rows.next().expect("row") {
                        let other: u32 = row.get_unwrap(0);
                        if seen.insert(other) {
                            next.push(other);
                        }
                    }
                }
            }
            frontier = next;
        }
        (seen.len() as u64 - 1, seen.iter().map(|&e| u64::from(e)).sum::<u64>() - u64::from(seed))
    }
}
