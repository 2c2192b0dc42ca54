-- The schema of a PostgreSQL database: first the rolls, then accounts and the ledger. A change of
-- this file raises the number in base/schema-number.ts. Texts that are compared or ordered are so
-- by their bytes: COLLATE "C".

-- One row: the number of this schema. Its row is written last.
CREATE TABLE schema_number (
  one integer PRIMARY KEY CHECK (one = 1),
  number integer NOT NULL
);

-- The rolls. Each of their tables has the state in its key, so that Citus may keep each state on
-- one node (docs/decisions/citus.md).

-- Ids grow with first insertion within a state. Whoever draws ids holds the state's lock until the
-- commit.
CREATE SEQUENCE parcel_ids;

-- One row a parcel: identity and what property search filters by. Empty text: unknown.
CREATE TABLE parcels (
  state text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  fips integer NOT NULL,            -- five-digit county FIPS code
  municipality text COLLATE "C" NOT NULL,
  stripped_key text COLLATE "C" NOT NULL,  -- parcel ID, A-Z and 0-9 only
  parcel_key text COLLATE "C" NOT NULL,    -- recorded ID, upper-cased and trimmed
  city text COLLATE "C" NOT NULL,
  zip text COLLATE "C" NOT NULL,
  unit text COLLATE "C" NOT NULL,          -- unit key of its situs address
  use_code text COLLATE "C" NOT NULL,
  residential boolean,
  transfer_day integer,             -- days since 1970-01-01
  assigned boolean NOT NULL,        -- has a street number and name
  roll_year integer,
  filled integer NOT NULL,          -- coverage fields it has, a bit each, see model/coverage.ts
  -- The roll's own use code, folded; empty: unknown. use_code is a code of tables/use-codes.tsv
  local_use text COLLATE "C" NOT NULL DEFAULT '',
  -- Its point in ten-millionths of a degree and the point's tile of zoom 14 (x * 16384 + y); null:
  -- unknown
  x integer,
  y integer,
  cell integer,
  owner bigint NOT NULL DEFAULT 0,  -- canonical owner, see store/parcel-keys.ts; 0: nobody is named
  PRIMARY KEY (state, id) INCLUDE (assigned, residential)
);
CREATE UNIQUE INDEX parcels_identity
  ON parcels (state, fips, stripped_key, municipality, parcel_key) INCLUDE (id);
-- Filters that are often used alone. Columns after the id spare reading the row.
CREATE INDEX parcels_by_county ON parcels (state, fips, id) INCLUDE (assigned, residential);
CREATE INDEX parcels_by_city ON parcels (state, city, id) INCLUDE (assigned);
CREATE INDEX parcels_by_zip ON parcels (state, zip, id) INCLUDE (assigned);
CREATE INDEX parcels_by_use ON parcels (state, use_code, id) INCLUDE (assigned);
CREATE INDEX parcels_by_transfer ON parcels (state, transfer_day, id);
CREATE INDEX parcels_by_point ON parcels USING gist (point(x, y)) WHERE x IS NOT NULL;
-- Points of parcels whose newest transfer has a price: comparable sales. 4096 is the bit of
-- `salePrice` in `filled`.
CREATE INDEX parcels_by_sale ON parcels USING gist (point(x, y))
  WHERE x IS NOT NULL AND transfer_day IS NOT NULL AND filled & 4096 <> 0;

-- The record: the values of its fields (record/stored.ts), and its keys in the tables below
-- (store/parcel-keys.ts), by which a refresh removes them. Both are packed (store/postgres/pack).
CREATE TABLE records (
  state text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  loaded_at bigint NOT NULL,        -- epoch seconds of the last change
  field_values bytea NOT NULL,
  -- Owner of its parcel, so that the owner's parcels are counted without reading the parcel
  owner bigint NOT NULL DEFAULT 0,
  keys bytea NOT NULL,
  PRIMARY KEY (state, id)
);

-- One row a polygon, with what a map tile shows of its parcel.
CREATE TABLE geometries (
  state text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  geojson text COLLATE "C" NOT NULL,
  PRIMARY KEY (state, id)
);

-- One row a further parcel ID.
CREATE TABLE alternate_ids (
  state text COLLATE "C" NOT NULL,
  fips integer NOT NULL,
  key text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  PRIMARY KEY (state, fips, key, id)
);

-- Situs addresses by strict key; kind 0: its own, 1: a range's member, 2: a bare highway.
CREATE TABLE situs (
  state text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  unit text COLLATE "C" NOT NULL,
  kind smallint NOT NULL,
  own_key text COLLATE "C" NOT NULL, -- its strict key where kind is not 0, else ''
  PRIMARY KEY (state, key, id, unit, kind, own_key)
);

-- Loose keys, by which a forgiving lookup finds strict keys.
CREATE TABLE loose_situs (
  state text COLLATE "C" NOT NULL,
  loose_key text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  PRIMARY KEY (state, loose_key, key)
);

-- Owners by surname or by an organization's first word; see model/owner.ts. kind 0: person, 1:
-- organization.
CREATE TABLE owner_heads (
  state text COLLATE "C" NOT NULL,
  head text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  slot smallint NOT NULL,
  kind smallint NOT NULL,
  fips integer NOT NULL,
  rest text COLLATE "C" NOT NULL,
  PRIMARY KEY (state, head, id, slot, kind) INCLUDE (fips)
);

-- One row a word of an owner name.
CREATE TABLE owner_words (
  state text COLLATE "C" NOT NULL,
  word text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  slot smallint NOT NULL,
  fips integer NOT NULL,
  PRIMARY KEY (state, word, id, slot) INCLUDE (fips)
);

-- Words of owners by each form with one letter left out: the candidates of a fuzzy search.
CREATE TABLE owner_deletions (
  state text COLLATE "C" NOT NULL,
  deletion text COLLATE "C" NOT NULL,
  word text COLLATE "C" NOT NULL,
  PRIMARY KEY (state, deletion, word)
);

-- Numbers of parcels in a state with the same canonical owner.
CREATE TABLE owner_counts (
  state text COLLATE "C" NOT NULL,
  owner bigint NOT NULL,
  parcels integer NOT NULL,
  residential integer NOT NULL,
  other integer NOT NULL,           -- those that are known not to be residential
  PRIMARY KEY (state, owner)
);
-- Owners without parcels, which an import deletes. Without this index it read every owner of the
-- state.
CREATE INDEX owner_counts_empty ON owner_counts (state) WHERE parcels = 0;

-- Facts of parcels by column, which questions scan: a row per block of 16,384 record IDs and fact.
-- Fact 0 are the ids. All rows of a block have the same random version. See store/facts/. They are
-- as small as they can be, so that the server need not try to compress them. PostgreSQL 15 takes
-- the storage of a column only afterwards.
CREATE TABLE facts (
  state text COLLATE "C" NOT NULL,
  fact integer NOT NULL,
  block integer NOT NULL,
  version bigint NOT NULL,
  data bytea NOT NULL,
  PRIMARY KEY (state, fact, block)
);
ALTER TABLE facts ALTER COLUMN data SET STORAGE EXTERNAL;

-- The bounds of polygons, where they are loaded, in ten-millionths of a degree.
CREATE TABLE shapes (
  state text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  bounds box NOT NULL,
  PRIMARY KEY (state, id)
);
CREATE INDEX shapes_by_bounds ON shapes USING gist (bounds);

-- Points by tile of zoom 14, for maps of a whole state.
CREATE TABLE point_counts (
  state text COLLATE "C" NOT NULL,
  cell integer NOT NULL,
  parcels bigint NOT NULL,
  PRIMARY KEY (state, cell)
);
-- Tiles are read without a state, but the primary key begins with one: before PostgreSQL 18 the
-- whole index was read.
CREATE INDEX point_counts_by_cell ON point_counts (cell) INCLUDE (parcels);

-- Where each state's parcels are: the south-western corners of cells of one degree, and 999 for a
-- polygon wider than a cell. A superset: cells are removed with the last parcel of a state. On
-- Citus it is a table of the coordinator, from which it knows the states to ask about a place.
CREATE TABLE place_cells (
  state text COLLATE "C" NOT NULL,
  x smallint NOT NULL,
  y smallint NOT NULL,
  PRIMARY KEY (x, y, state)
);

-- Number of changes of each state's parcels, part of the ETag of tiles and coverage. Also a table
-- of the coordinator.
CREATE TABLE state_versions (
  state text COLLATE "C" PRIMARY KEY,
  version bigint NOT NULL
);

-- The loaded rolls: one row per roll scope.
CREATE TABLE scopes (
  state text COLLATE "C" NOT NULL,
  fips integer NOT NULL,
  municipality text COLLATE "C" NOT NULL,
  parcels bigint NOT NULL,
  roll_year integer,
  loaded_at bigint NOT NULL,
  filled text NOT NULL,             -- JSON: coverage field to number of parcels that have it
  PRIMARY KEY (state, fips, municipality)
);

-- Errors of estimates of past sales in a county, measured by its last import.
CREATE TABLE sale_tests (
  state text COLLATE "C" NOT NULL,
  fips integer NOT NULL,
  result text NOT NULL,             -- JSON
  PRIMARY KEY (state, fips)
);

-- The quality of a county, measured by each import (seconds).
CREATE TABLE qualities (
  state text COLLATE "C" NOT NULL,
  fips integer NOT NULL,
  loaded_at bigint NOT NULL,
  result text NOT NULL,             -- JSON
  PRIMARY KEY (state, fips, loaded_at)
);

-- Where parcels come from: the lines of their rows, by block of 16,384 record IDs and import.
-- Numbers ascend among the imports of a state. See store/origins/.
CREATE TABLE origins (
  state text COLLATE "C" NOT NULL,
  block integer NOT NULL,
  number integer NOT NULL,
  data bytea NOT NULL,
  PRIMARY KEY (state, block, number)
);

-- Files, columns and mapping of an import whose rows some parcels come from.
CREATE TABLE origin_imports (
  state text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  import integer NOT NULL,
  scopes text NOT NULL,             -- JSON of [fips, municipality]
  document bytea NOT NULL,
  PRIMARY KEY (state, number)
);

-- Rows as recorded, where the import kept its source: chunks by file and first line.
CREATE TABLE kept_rows (
  state text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  part integer NOT NULL,
  line integer NOT NULL,
  data bytea NOT NULL,
  PRIMARY KEY (state, number, part, line)
);

-- The token of the last import that wrote a roll scope, while nothing has changed it since: by it
-- an import knows that the kept parcels still come from the rows that it remembers.
CREATE TABLE roll_tokens (
  state text COLLATE "C" NOT NULL,
  fips integer NOT NULL,
  municipality text COLLATE "C" NOT NULL,
  token text NOT NULL,
  PRIMARY KEY (state, fips, municipality)
);

-- The history of imports, and the data that undoes the last one of a roll scope.

-- One row per import, undo or unload. Its id is never used again.
CREATE TABLE imports (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,               -- import, past, undo or unload
  loaded_at bigint NOT NULL,        -- epoch seconds
  mapping text NOT NULL,            -- empty where there is none
  files text NOT NULL,              -- JSON list of the paths as they were given
  rows bigint NOT NULL,             -- rows read; rejected, skipped, duplicates count rows too
  rejected bigint NOT NULL,
  skipped bigint NOT NULL,
  duplicates bigint NOT NULL,
  unplaced bigint NOT NULL,         -- rows that had a shape and got no place
  -- Parcels that were new; updated, unchanged, removed count parcels
  loaded bigint NOT NULL,
  updated bigint NOT NULL,
  unchanged bigint NOT NULL,
  removed bigint NOT NULL,
  rejects_file text,
  undoes bigint                     -- the import that an undo takes back
);

-- The roll scopes that each import touched. Parcels that it added have the ids first_id to last_id.
CREATE TABLE import_scopes (
  import bigint NOT NULL,
  state text COLLATE "C" NOT NULL,
  fips integer NOT NULL,
  municipality text COLLATE "C" NOT NULL,
  first_id bigint NOT NULL,         -- greater than last_id: none was added
  last_id bigint NOT NULL,
  images bigint NOT NULL,           -- rows of import_images that undo it
  PRIMARY KEY (import, state, fips, municipality)
);

-- Parcels as they were before the last import that changed their scope: those that it changed or
-- removed.
CREATE TABLE import_images (
  state text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  fips integer NOT NULL,
  municipality text COLLATE "C" NOT NULL,
  stripped_key text COLLATE "C" NOT NULL,
  parcel_key text COLLATE "C" NOT NULL,
  city text COLLATE "C" NOT NULL,
  zip text COLLATE "C" NOT NULL,
  unit text COLLATE "C" NOT NULL,
  use_code text COLLATE "C" NOT NULL,
  residential boolean,
  transfer_day integer,
  assigned boolean NOT NULL,
  roll_year integer,
  filled integer NOT NULL,
  field_values bytea NOT NULL,
  keys bytea NOT NULL,
  geometry text COLLATE "C",
  local_use text COLLATE "C" NOT NULL DEFAULT '',
  x integer,
  y integer,
  cell integer,
  owner bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (state, id)
);
CREATE INDEX import_images_by_scope ON import_images (state, fips, municipality);

-- Changes by imports, a row per changed parcel; a first load of a roll scope is one row.
CREATE TABLE changes (
  state text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,         -- grows by one per state, and is never used again
  what text NOT NULL,               -- added, changed, removed or loaded
  id bigint,                        -- null: loaded
  property_id text COLLATE "C",
  fips integer NOT NULL,
  municipality text COLLATE "C" NOT NULL,
  groups integer NOT NULL,          -- bits of the groups of fields that changed
  parcels bigint,                   -- of a loaded scope
  loaded_at bigint NOT NULL,        -- epoch seconds
  import bigint NOT NULL,
  PRIMARY KEY (state, sequence)
);
CREATE INDEX changes_by_time ON changes (state, loaded_at, sequence);
CREATE INDEX changes_by_county ON changes (state, fips, sequence);

-- The newest sequence number that was assigned.
CREATE TABLE change_heads (
  state text COLLATE "C" PRIMARY KEY,
  last bigint NOT NULL
);

-- Earlier versions of parcels, see store/versions/: a row per change, whose difference makes what
-- was before of what is after.
CREATE TABLE versions (
  state text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  day integer NOT NULL,             -- of the vintage that made the change, days since 1970-01-01
  import bigint NOT NULL,
  what integer NOT NULL,            -- 0 added, 1 changed, 2 removed
  fips integer NOT NULL,
  municipality text COLLATE "C" NOT NULL,
  loaded_at bigint NOT NULL,        -- of the version before, epoch seconds
  difference text COLLATE "C" NOT NULL,
  PRIMARY KEY (state, id, day, import)
);

-- What finds a version that is found otherwise now: see listKeys of store/versions/. A superset.
CREATE TABLE past_keys (
  state text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  PRIMARY KEY (state, key, id)
);

-- The rolls of which versions are kept, and the present one of each roll scope.
CREATE TABLE vintages (
  state text COLLATE "C" NOT NULL,
  fips integer NOT NULL,
  municipality text COLLATE "C" NOT NULL,
  day integer NOT NULL,
  import bigint NOT NULL,
  roll_year integer,
  source text NOT NULL,             -- name of its mapping
  loaded_at bigint NOT NULL,
  PRIMARY KEY (state, fips, municipality, day, import)
);

-- What parcels came from: a link between a parcel before a roll and one after it, see
-- store/lineage/.
CREATE TABLE lineage (
  state text COLLATE "C" NOT NULL,
  parent bigint NOT NULL,
  child bigint NOT NULL,
  day integer NOT NULL,            -- of the roll, days since 1970-01-01
  import bigint NOT NULL,
  fips integer NOT NULL,
  municipality text COLLATE "C" NOT NULL,
  kind integer NOT NULL,           -- 0 split, 1 merge, 2 adjustment, 3 renumbered
  parent_share integer,            -- ten-thousandths of the parent's area; null: no polygons
  child_share integer,
  evidence integer NOT NULL,       -- bits of EVIDENCE in store/lineage/link.ts
  PRIMARY KEY (state, parent, child, day, import)
);
CREATE INDEX lineage_by_child ON lineage (state, child);

-- Accounts, keys, plans, the ledger, the audit, billing and suppressions. Times are epoch
-- milliseconds, dates YYYY-MM-DD. On Citus these are ordinary tables of the coordinator.

-- Every write to accounts or keys increments `version` in the same transaction, so that one small
-- read shows other processes that their caches are stale.
CREATE TABLE accounts_state (
  one integer PRIMARY KEY CHECK (one = 1),
  version bigint NOT NULL
);
INSERT INTO accounts_state VALUES (1, 1);

-- One row an account, with its facts; null: as its plan says.
CREATE TABLE account (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  created_at bigint NOT NULL,
  data_reads text NOT NULL CHECK (data_reads IN ('v2', 'v3')),
  response_shape text NOT NULL CHECK (response_shape IN ('flat', 'nested')),
  suspended boolean NOT NULL,
  billing text NOT NULL CHECK (billing IN ('ok', 'unavailable', 'misconfigured')),
  subscription text NOT NULL CHECK (subscription IN ('none', 'incomplete', 'incomplete_expired',
    'trialing', 'active', 'past_due', 'canceled', 'unpaid', 'paused')),
  payment_method text NOT NULL CHECK (payment_method IN ('none', 'unverified', 'verified')),
  unpaid_invoices bigint NOT NULL CHECK (unpaid_invoices >= 0),
  included_tokens bigint CHECK (included_tokens >= 0), -- NULL: unlimited
  overage_cap bigint CHECK (overage_cap >= 0),         -- NULL: unlimited
  past_due_grace_days integer NOT NULL CHECK (past_due_grace_days >= 0),
  past_due_since bigint,
  period_start text,
  period_end text,
  billing_url text,
  empty_fields text NOT NULL DEFAULT 'null' CHECK (empty_fields IN ('null', 'omit')),
  use_codes text NOT NULL DEFAULT 'contract' CHECK (use_codes IN ('contract', 'recorded')),
  requests_per_minute bigint CHECK (requests_per_minute > 0), -- NULL: unlimited
  watches_max integer NOT NULL DEFAULT 100 CHECK (watches_max >= 0),
  watched_parcels_max integer NOT NULL DEFAULT 100000 CHECK (watched_parcels_max >= 0),
  plan text,
  plan_terms text,             -- the terms of the plan, copied to each of its accounts
  own_facts text NOT NULL DEFAULT '', -- names of facts that it sets itself, overriding its plan
  CHECK ((period_start IS NULL) = (period_end IS NULL))
);

-- Plans that set facts of accounts, and the operator's prices per operation.
CREATE TABLE plan (
  name text COLLATE "C" PRIMARY KEY,
  terms text NOT NULL          -- JSON: model/account.ts
);
-- One row an operation with a price of the operator.
CREATE TABLE price (
  operation text COLLATE "C" PRIMARY KEY,
  tokens bigint NOT NULL CHECK (tokens >= 0)
);

-- One row an API key, as a hash.
CREATE TABLE key (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES account (id),
  hash bytea NOT NULL UNIQUE,  -- HMAC-SHA-256 of the whole key under the server secret `secret_id`
  secret_id text NOT NULL,
  prefix text NOT NULL,
  label text,
  created_at bigint NOT NULL,
  -- The key is invalid from then on; in the future while a rotation overlaps
  revoked_at bigint,
  last_used_at bigint          -- to the minute
);
CREATE INDEX key_of_account ON key (account_id, created_at);

-- One row a charge or correction; triggers keep it append-only.
CREATE TABLE ledger (
  id bigint PRIMARY KEY,       -- 1, 2, 3 … without a gap, in the order of commits
  account_id text COLLATE "C" NOT NULL REFERENCES account (id),
  seq bigint NOT NULL,         -- 1, 2, 3 … within the account
  request_id text NOT NULL,
  key_id text,                 -- NULL: a correction
  period text COLLATE "C" NOT NULL,
  endpoint text COLLATE "C" NOT NULL,
  cost bigint NOT NULL,
  at bigint NOT NULL,
  reason text,                 -- NULL: a charge
  -- SHA-256 over the hash of the account's row before and all fields: ledger/chain.ts
  hash bytea NOT NULL,
  -- Charges of requests with an Idempotency-Key are unique
  idempotency text,
  fingerprint text,            -- of the query that was charged
  UNIQUE (account_id, seq)
);
CREATE UNIQUE INDEX ledger_idempotency ON ledger (idempotency) WHERE idempotency IS NOT NULL;

CREATE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is append-only: a row is never changed or removed';
END $$;
CREATE TRIGGER ledger_stays_whole BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();

-- The id of the newest row. Its lock is held until the commit, so that ids commit in their order
-- whichever node writes them.
CREATE TABLE ledger_newest (
  one integer PRIMARY KEY CHECK (one = 1),
  id bigint NOT NULL
);
INSERT INTO ledger_newest VALUES (1, 0);

-- The newest row of each account's chain, written in the same transaction, so that a truncated
-- chain is noticed.
CREATE TABLE ledger_head (
  account_id text COLLATE "C" PRIMARY KEY REFERENCES account (id),
  rows bigint NOT NULL,
  hash bytea NOT NULL,
  period text COLLATE "C" NOT NULL,  -- first day of the newest period
  used bigint NOT NULL               -- sum of costs in it
);
CREATE TRIGGER ledger_head_stays BEFORE DELETE OR TRUNCATE ON ledger_head
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();

-- Sums of the ledger by day, written with it, so that showing usage never walks the rows.
CREATE TABLE usage_day (
  account_id text COLLATE "C" NOT NULL REFERENCES account (id),
  period text COLLATE "C" NOT NULL,
  day text COLLATE "C" NOT NULL,
  endpoint text COLLATE "C" NOT NULL,
  requests bigint NOT NULL,
  tokens bigint NOT NULL,
  PRIMARY KEY (account_id, period, day, endpoint)
);

-- The newest row of each account at the last verification, up to `ledger_checked.id`. A start
-- verifies the rows after it.
CREATE TABLE ledger_checkpoint (
  account_id text COLLATE "C" PRIMARY KEY REFERENCES account (id),
  rows bigint NOT NULL,
  hash bytea NOT NULL,
  period text COLLATE "C" NOT NULL,
  used bigint NOT NULL
);
-- One row: the newest row that was verified.
CREATE TABLE ledger_checked (
  one integer PRIMARY KEY CHECK (one = 1),
  id bigint NOT NULL
);
INSERT INTO ledger_checked VALUES (1, 0);

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
CREATE INDEX operator_log_subject ON operator_log (subject, id);
CREATE TRIGGER operator_log_stays_whole BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_log
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();

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

-- The link between accounts and customers of a billing provider.
CREATE TABLE billing_link (
  account_id text COLLATE "C" PRIMARY KEY REFERENCES account (id),
  customer text COLLATE "C" NOT NULL UNIQUE, -- id of the provider's customer
  linked_at bigint NOT NULL,
  revision bigint NOT NULL,      -- raised whenever facts are settled
  synced_at bigint,              -- when facts were last read from the provider
  facts text NOT NULL,           -- JSON of the facts that were read then
  problem text                   -- why reading failed since
);
-- One row an event of the billing provider that was received.
CREATE TABLE billing_event (
  id text COLLATE "C" PRIMARY KEY, -- the provider's
  type text NOT NULL,
  customer text,
  version text NOT NULL,         -- of the provider's interface that wrote the body
  hash text NOT NULL,            -- SHA-256 of the body, hex
  created bigint NOT NULL,       -- at the provider
  applied_at bigint NOT NULL
);
CREATE INDEX billing_event_order ON billing_event (applied_at);
-- Overage that was invoiced. A period has several parts if charges or credits came after the first.
CREATE TABLE billing_overage (
  account_id text COLLATE "C" NOT NULL REFERENCES account (id),
  period text COLLATE "C" NOT NULL,
  part bigint NOT NULL,          -- 1, 2, 3 …
  tokens bigint NOT NULL,        -- negative: given back
  included bigint NOT NULL,      -- tokens that the period included
  first_row bigint NOT NULL,     -- rows of the account's ledger that the period has, by seq
  last_row bigint NOT NULL,
  head text NOT NULL,            -- hash of the last one, hex
  unit text NOT NULL,            -- price of a token in the currency's smallest unit
  currency text NOT NULL,
  item text,                     -- the provider's id of the line; NULL: not confirmed yet
  invoice text NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (account_id, period, part)
);
-- One row: how far events were read.
CREATE TABLE billing_state (
  one bigint PRIMARY KEY CHECK (one = 1),
  polled_at bigint,              -- when the provider's events were last read to their end
  polled_to bigint               -- newest event that was read then, at the provider
);
INSERT INTO billing_state VALUES (1, NULL, NULL);

-- Suppressed people and homes: hashes only, see store/accounts/account-rows.ts and docs/privacy.md.
CREATE TABLE suppression (
  id text COLLATE "C" PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('owner', 'address', 'property')),
  scope text NOT NULL CHECK (scope IN ('owner', 'address', 'both')),
  state text NOT NULL,         -- '': every state
  fips integer NOT NULL,       -- 0: every county
  -- HMAC-SHA-256 and a keyed checksum of 32 bits, in hex, 72 digits each
  hashes text NOT NULL,
  basis text NOT NULL,
  created_at bigint NOT NULL,
  until text,                  -- YYYY-MM-DD; NULL: without end
  ended_at bigint              -- NULL: in force
);

-- Suppressions that the stored parcels do not follow yet. Answers are filtered by them, see
-- privacy/guard-parcels.ts.
CREATE TABLE suppression_pending (
  id text COLLATE "C" PRIMARY KEY
);

-- Requests that a node has taken of an account's minute (rate-grants.ts). A slot is a tenth of a
-- second of this server's clock. Unlogged: after a crash the minute begins from nothing, and no
-- grant waits for the disk.
CREATE UNLOGGED TABLE rate_grants (
  account_id text COLLATE "C" NOT NULL,
  slot bigint NOT NULL,
  node text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (account_id, slot, node)
);

-- Watches: what a caller wants to hear of (docs/watches.md). Events name parcels and imports only;
-- what changed is read from the rolls when an event is shown, so that a suppression reaches it.
CREATE TABLE watch (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES account (id),
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('parcels', 'owner', 'shape', 'search')),
  condition text,                -- JSON; NULL: the parcels of watch_parcel
  groups bigint NOT NULL,        -- bits of model/changes.ts
  url text,                      -- NULL: events are only asked for
  secret text NOT NULL,          -- sealed under the server secret
  old_secret text,
  old_secret_until bigint,
  status text NOT NULL CHECK (status IN ('active', 'failing')),
  created_at bigint NOT NULL,
  starts text NOT NULL,          -- JSON: the newest change of each state at its creation
  parcels bigint NOT NULL,       -- rows of watch_parcel
  newest bigint NOT NULL DEFAULT 0,    -- number of its newest event
  delivered bigint NOT NULL DEFAULT 0  -- number of the newest event that was delivered
);
CREATE INDEX watch_of_account ON watch (account_id, created_at);
CREATE INDEX watch_undelivered ON watch (id)
  WHERE newest > delivered AND status = 'active' AND url IS NOT NULL;
-- A parcel that a watch lists.
CREATE TABLE watch_parcel (
  parcel_key text COLLATE "C" NOT NULL, -- the property ID without punctuation
  watch_id text COLLATE "C" NOT NULL,
  property_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (parcel_key, watch_id)
);
CREATE INDEX watch_parcel_of_watch ON watch_parcel (watch_id);
-- A change of a parcel by an import is one event of a watch.
CREATE TABLE watch_event (
  number bigint PRIMARY KEY,     -- 1, 2, 3 …
  id text NOT NULL,
  watch_id text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  parcel bigint NOT NULL,        -- id of the record; below 0: a county that was loaded
  import bigint NOT NULL,
  what text NOT NULL,
  property_id text,
  fips bigint NOT NULL,
  groups bigint NOT NULL,
  at bigint NOT NULL,            -- when the import ended
  UNIQUE (watch_id, state, parcel, import)
);
CREATE INDEX watch_event_of_watch ON watch_event (watch_id, number);
CREATE INDEX watch_event_of_parcel ON watch_event (state, parcel, import);
-- A POST of up to 100 events of a watch.
CREATE TABLE watch_delivery (
  id text COLLATE "C" PRIMARY KEY, -- the webhook-id, the same for every attempt
  watch_id text COLLATE "C" NOT NULL,
  host text NOT NULL,
  last_event bigint NOT NULL,    -- it holds the events after watch.delivered up to this one
  events bigint NOT NULL,
  attempts bigint NOT NULL,
  next_at bigint,                -- NULL: it has ended
  status text NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
  answer text,                   -- of the last attempt: a status, or why there is none
  created_at bigint NOT NULL,
  ended_at bigint
);
CREATE INDEX watch_delivery_due ON watch_delivery (next_at) WHERE status = 'pending';
CREATE INDEX watch_delivery_of_watch ON watch_delivery (watch_id, created_at);
-- How far the feed of changes of a state has been compared with watches.
CREATE TABLE watch_position (
  state text COLLATE "C" PRIMARY KEY,
  sequence bigint NOT NULL
);
-- One row: the version of all watches, and the newest event.
CREATE TABLE watch_state (
  one bigint PRIMARY KEY CHECK (one = 1),
  version bigint NOT NULL,       -- increments with each change of a watch
  last_event bigint NOT NULL     -- number of the newest event
);
INSERT INTO watch_state VALUES (1, 1, 0);
