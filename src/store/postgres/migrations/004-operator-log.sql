-- Every change of an account or a key, with the row as it was afterwards, as a chain of hashes:
-- store/operator-log.ts.
CREATE TABLE operator_log (
  id bigint PRIMARY KEY,       -- 1, 2, 3 … without a gap, in the order of commits
  at bigint NOT NULL,
  kind text NOT NULL,
  subject text NOT NULL,       -- primary key of the row
  state text NOT NULL,         -- JSON of the row
  hash bytea NOT NULL
);
CREATE TRIGGER operator_log_stays_whole BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_log
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
