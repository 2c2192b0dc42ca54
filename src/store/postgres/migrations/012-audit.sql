-- Who was shown which parcels: store/audit/audit-store.ts and docs/audit.md. Written in the
-- transaction of the charges.
CREATE TABLE audit (
  id bigint PRIMARY KEY,       -- 1, 2, 3 … without a gap, in the order of commits
  at bigint NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  key_id text NOT NULL,
  request_id text NOT NULL,
  operation text NOT NULL,
  query text NOT NULL,         -- keyed hash of the query
  ids text NOT NULL,           -- propertyIds of the answer, with line feeds between them
  hash bytea NOT NULL
);

-- Both ends of the chain of entries, so that a truncated chain is noticed: the last entry that was
-- removed by age, and the newest. Its lock is held until the commit, so that ids commit in order
-- whichever node writes them.
CREATE TABLE audit_state (
  one integer PRIMARY KEY CHECK (one = 1),
  base_id bigint NOT NULL,
  base_hash bytea NOT NULL,
  newest_id bigint NOT NULL,
  newest_hash bytea NOT NULL
);
INSERT INTO audit_state
VALUES (1, 0, decode(repeat('00', 32), 'hex'), 0, decode(repeat('00', 32), 'hex'));

-- Filters of the parcels and accounts in each thousand entries: store/audit/filter.ts. Not
-- compressed: their bits are random.
CREATE TABLE audit_filter (
  segment bigint PRIMARY KEY,
  bits bytea NOT NULL
);
ALTER TABLE audit_filter ALTER COLUMN bits SET STORAGE EXTERNAL;

CREATE TRIGGER audit_stays_unchanged BEFORE UPDATE OR TRUNCATE ON audit
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit is append-only: only its oldest entries are trimmed';
END $$;
CREATE FUNCTION audit_base() RETURNS bigint LANGUAGE sql STABLE
AS 'SELECT base_id FROM audit_state';
CREATE TRIGGER audit_is_trimmed_only BEFORE DELETE ON audit
  FOR EACH ROW WHEN (OLD.id > audit_base()) EXECUTE FUNCTION audit_is_append_only();
