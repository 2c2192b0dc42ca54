-- Who was shown which parcels: store/audit/audit-store.ts and docs/audit.md. Written in the
-- transaction of the charges.
CREATE TABLE audit (
  id INTEGER PRIMARY KEY,    -- 1, 2, 3 … without a gap
  at INTEGER NOT NULL,
  account_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  request_id TEXT NOT NULL,
  operation TEXT NOT NULL,
  query TEXT NOT NULL,       -- keyed hash of the query
  ids TEXT NOT NULL,         -- propertyIds of the answer, with line feeds between them
  hash BLOB NOT NULL
) STRICT;

-- Both ends of the chain of entries, so that a truncated chain is noticed: the last entry that was
-- removed by age, and the newest.
CREATE TABLE audit_state (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  base_id INTEGER NOT NULL,
  base_hash BLOB NOT NULL,
  newest_id INTEGER NOT NULL,
  newest_hash BLOB NOT NULL
) STRICT;
INSERT INTO audit_state VALUES (1, 0, zeroblob(32), 0, zeroblob(32));

-- Filters of the parcels and accounts in each thousand entries: store/audit/filter.ts.
CREATE TABLE audit_filter (
  segment INTEGER PRIMARY KEY,
  bits BLOB NOT NULL
) STRICT;

CREATE TRIGGER audit_stays_unchanged BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit is append-only: an entry is never changed'); END;
CREATE TRIGGER audit_is_trimmed_only BEFORE DELETE ON audit
WHEN OLD.id > (SELECT base_id FROM audit_state)
BEGIN SELECT RAISE(ABORT, 'the audit is append-only: only its oldest entries are trimmed'); END;
CREATE TRIGGER audit_is_appended BEFORE INSERT ON audit
WHEN NEW.id <> coalesce((SELECT max(id) FROM audit), (SELECT base_id FROM audit_state)) + 1
BEGIN SELECT RAISE(ABORT, 'the audit is append-only: an entry goes to its end'); END;
