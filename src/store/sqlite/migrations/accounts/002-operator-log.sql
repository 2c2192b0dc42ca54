-- Every change of an account or a key, with the row as it was afterwards, as a chain of hashes:
-- store/operator-log.ts.
CREATE TABLE operator_log (
  id INTEGER PRIMARY KEY,    -- 1, 2, 3 … without a gap
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,     -- primary key of the row
  state TEXT NOT NULL,       -- JSON of the row
  hash BLOB NOT NULL
) STRICT;

CREATE TRIGGER operator_log_stays_unchanged BEFORE UPDATE ON operator_log
BEGIN SELECT RAISE(ABORT, 'the operator log is append-only: a row is never changed'); END;
CREATE TRIGGER operator_log_stays_whole BEFORE DELETE ON operator_log
BEGIN SELECT RAISE(ABORT, 'the operator log is append-only: a row is never removed'); END;
CREATE TRIGGER operator_log_is_appended BEFORE INSERT ON operator_log
WHEN NEW.id <> (SELECT coalesce(max(id), 0) + 1 FROM operator_log)
BEGIN SELECT RAISE(ABORT, 'the operator log is append-only: a row goes to its end'); END;
