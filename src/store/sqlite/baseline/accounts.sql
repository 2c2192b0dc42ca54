-- The schema of accounts.db: accounts, keys, plans, ledger, audit, billing and suppressions.
-- Times are epoch milliseconds, dates YYYY-MM-DD. A change of this file raises the number in
-- base/schema-number.ts.

-- Every write to accounts or keys increments `version` in the same transaction, so that one small
-- read shows other processes that their caches are stale.
CREATE TABLE state (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  version INTEGER NOT NULL
) STRICT;
INSERT INTO state VALUES (1, 1);

-- One row an account, with its facts; null: as its plan says.
CREATE TABLE account (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  data_reads TEXT NOT NULL CHECK (data_reads IN ('v2', 'v3')),
  response_shape TEXT NOT NULL CHECK (response_shape IN ('flat', 'nested')),
  suspended INTEGER NOT NULL CHECK (suspended IN (0, 1)),
  billing TEXT NOT NULL CHECK (billing IN ('ok', 'unavailable', 'misconfigured')),
  subscription TEXT NOT NULL CHECK (subscription IN ('none', 'incomplete', 'incomplete_expired',
    'trialing', 'active', 'past_due', 'canceled', 'unpaid', 'paused')),
  payment_method TEXT NOT NULL CHECK (payment_method IN ('none', 'unverified', 'verified')),
  unpaid_invoices INTEGER NOT NULL CHECK (unpaid_invoices >= 0),
  included_tokens INTEGER CHECK (included_tokens >= 0), -- NULL: unlimited
  overage_cap INTEGER CHECK (overage_cap >= 0),         -- NULL: unlimited
  past_due_grace_days INTEGER NOT NULL CHECK (past_due_grace_days >= 0),
  past_due_since INTEGER,
  period_start TEXT,
  period_end TEXT,
  billing_url TEXT,
  empty_fields TEXT NOT NULL DEFAULT 'null' CHECK (empty_fields IN ('null', 'omit')),
  use_codes TEXT NOT NULL DEFAULT 'contract' CHECK (use_codes IN ('contract', 'recorded')),
  requests_per_minute INTEGER CHECK (requests_per_minute > 0), -- NULL: unlimited
  watches_max INTEGER NOT NULL DEFAULT 100 CHECK (watches_max >= 0),
  watched_parcels_max INTEGER NOT NULL DEFAULT 100000 CHECK (watched_parcels_max >= 0),
  plan TEXT,
  plan_terms TEXT,                   -- the terms of the plan, copied to each of its accounts
  own_facts TEXT NOT NULL DEFAULT '', -- names of facts that it sets itself, overriding its plan
  CHECK ((period_start IS NULL) = (period_end IS NULL))
) STRICT;

-- Plans that set facts of accounts, and the operator's prices per operation.
CREATE TABLE plan (
  name TEXT PRIMARY KEY,
  terms TEXT NOT NULL        -- JSON: model/account.ts
) STRICT;
-- One row an operation with a price of the operator.
CREATE TABLE price (
  operation TEXT PRIMARY KEY,
  tokens INTEGER NOT NULL CHECK (tokens >= 0)
) STRICT;

-- One row an API key, as a hash.
CREATE TABLE key (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES account (id),
  hash BLOB NOT NULL UNIQUE, -- HMAC-SHA-256 of the whole key under the server secret `secret_id`
  secret_id TEXT NOT NULL,
  prefix TEXT NOT NULL,
  label TEXT,
  created_at INTEGER NOT NULL,
  -- The key is invalid from then on; in the future while a rotation overlaps
  revoked_at INTEGER,
  last_used_at INTEGER       -- to the minute
) STRICT;
CREATE INDEX key_of_account ON key (account_id, created_at);

-- One row a charge or correction; triggers keep it append-only.
CREATE TABLE ledger (
  id INTEGER PRIMARY KEY,    -- 1, 2, 3 … without a gap
  account_id TEXT NOT NULL REFERENCES account (id),
  seq INTEGER NOT NULL,      -- 1, 2, 3 … within the account
  request_id TEXT NOT NULL,
  key_id TEXT,               -- NULL: a correction
  period TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  cost INTEGER NOT NULL,
  at INTEGER NOT NULL,
  reason TEXT,               -- NULL: a charge
  -- SHA-256 over the hash of the account's row before and all fields: ledger/chain.ts
  hash BLOB NOT NULL,
  -- Charges of requests with an Idempotency-Key are unique
  idempotency TEXT,
  fingerprint TEXT,          -- of the query that was charged
  UNIQUE (account_id, seq)
) STRICT;
CREATE UNIQUE INDEX ledger_idempotency ON ledger (idempotency) WHERE idempotency IS NOT NULL;

CREATE TRIGGER ledger_stays_unchanged BEFORE UPDATE ON ledger
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only: a row is never changed'); END;
CREATE TRIGGER ledger_stays_whole BEFORE DELETE ON ledger
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only: a row is never removed'); END;
-- INSERT OR REPLACE deletes without the trigger above unless recursive triggers are on.
CREATE TRIGGER ledger_is_appended BEFORE INSERT ON ledger
WHEN NEW.id <> (SELECT coalesce(max(id), 0) + 1 FROM ledger)
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only: a row goes to its end'); END;

-- The newest row of each account's chain, written in the same transaction, so that a truncated
-- chain is noticed.
CREATE TABLE ledger_head (
  account_id TEXT PRIMARY KEY REFERENCES account (id),
  rows INTEGER NOT NULL,
  hash BLOB NOT NULL,
  period TEXT NOT NULL,      -- first day of the newest period
  used INTEGER NOT NULL      -- sum of costs in it
) STRICT, WITHOUT ROWID;
CREATE TRIGGER ledger_head_stays BEFORE DELETE ON ledger_head
BEGIN SELECT RAISE(ABORT, 'an account keeps its ledger head'); END;

-- Sums of the ledger by day, written with it, so that showing usage never walks the rows.
CREATE TABLE usage_day (
  account_id TEXT NOT NULL REFERENCES account (id),
  period TEXT NOT NULL,
  day TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  requests INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  PRIMARY KEY (account_id, period, day, endpoint)
) STRICT, WITHOUT ROWID;

-- The newest row of each account at the last verification, up to `ledger_checked.id`. A start
-- verifies the rows after it.
CREATE TABLE ledger_checkpoint (
  account_id TEXT PRIMARY KEY REFERENCES account (id),
  rows INTEGER NOT NULL,
  hash BLOB NOT NULL,
  period TEXT NOT NULL,
  used INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- One row: the newest row that was verified.
CREATE TABLE ledger_checked (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  id INTEGER NOT NULL
) STRICT;
INSERT INTO ledger_checked VALUES (1, 0);

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
CREATE INDEX operator_log_subject ON operator_log (subject, id);

CREATE TRIGGER operator_log_stays_unchanged BEFORE UPDATE ON operator_log
BEGIN SELECT RAISE(ABORT, 'the operator log is append-only: a row is never changed'); END;
CREATE TRIGGER operator_log_stays_whole BEFORE DELETE ON operator_log
BEGIN SELECT RAISE(ABORT, 'the operator log is append-only: a row is never removed'); END;
CREATE TRIGGER operator_log_is_appended BEFORE INSERT ON operator_log
WHEN NEW.id <> (SELECT coalesce(max(id), 0) + 1 FROM operator_log)
BEGIN SELECT RAISE(ABORT, 'the operator log is append-only: a row goes to its end'); END;

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

-- The link between accounts and customers of a billing provider.
CREATE TABLE billing_link (
  account_id TEXT PRIMARY KEY REFERENCES account (id),
  customer TEXT NOT NULL UNIQUE, -- id of the provider's customer
  linked_at INTEGER NOT NULL,
  revision INTEGER NOT NULL,     -- raised whenever facts are settled
  synced_at INTEGER,             -- when facts were last read from the provider
  facts TEXT NOT NULL,           -- JSON of the facts that were read then
  problem TEXT                   -- why reading failed since
) STRICT;
-- One row an event of the billing provider that was received.
CREATE TABLE billing_event (
  id TEXT PRIMARY KEY,           -- the provider's
  type TEXT NOT NULL,
  customer TEXT,
  version TEXT NOT NULL,         -- of the provider's interface that wrote the body
  hash TEXT NOT NULL,            -- SHA-256 of the body, hex
  created INTEGER NOT NULL,      -- at the provider
  applied_at INTEGER NOT NULL
) STRICT;
CREATE INDEX billing_event_order ON billing_event (applied_at);
-- Overage that was invoiced. A period has several parts if charges or credits came after the first.
CREATE TABLE billing_overage (
  account_id TEXT NOT NULL REFERENCES account (id),
  period TEXT NOT NULL,
  part INTEGER NOT NULL,         -- 1, 2, 3 …
  tokens INTEGER NOT NULL,       -- negative: given back
  included INTEGER NOT NULL,     -- tokens that the period included
  first_row INTEGER NOT NULL,    -- rows of the account's ledger that the period has, by seq
  last_row INTEGER NOT NULL,
  head TEXT NOT NULL,            -- hash of the last one, hex
  unit TEXT NOT NULL,            -- price of a token in the currency's smallest unit
  currency TEXT NOT NULL,
  item TEXT,                     -- the provider's id of the line; NULL: not confirmed yet
  invoice TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (account_id, period, part)
) STRICT, WITHOUT ROWID;
-- One row: how far events were read.
CREATE TABLE billing_state (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  polled_at INTEGER,             -- when the provider's events were last read to their end
  polled_to INTEGER              -- newest event that was read then, at the provider
) STRICT;
INSERT INTO billing_state VALUES (1, NULL, NULL);

-- Suppressed people and homes: hashes only, see store/accounts/account-rows.ts and docs/privacy.md.
CREATE TABLE suppression (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('owner', 'address', 'property')),
  scope TEXT NOT NULL CHECK (scope IN ('owner', 'address', 'both')),
  state TEXT NOT NULL,       -- '': every state
  fips INTEGER NOT NULL,     -- 0: every county
  hashes TEXT NOT NULL,      -- HMAC-SHA-256 and a keyed checksum of 32 bits, in hex, 72 digits each
  basis TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  until TEXT,                -- YYYY-MM-DD; NULL: without end
  ended_at INTEGER           -- NULL: in force
) STRICT;

-- Suppressions that the stored parcels do not follow yet. Answers are filtered by them, see
-- privacy/guard-parcels.ts.
CREATE TABLE suppression_pending (
  id TEXT PRIMARY KEY
) STRICT;

-- Watches: what a caller wants to hear of (docs/watches.md). Events name parcels and imports only;
-- what changed is read from the rolls when an event is shown, so that a suppression reaches it.
CREATE TABLE watch (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES account (id),
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('parcels', 'owner', 'shape', 'search')),
  condition TEXT,                -- JSON; NULL: the parcels of watch_parcel
  groups INTEGER NOT NULL,       -- bits of model/changes.ts
  url TEXT,                      -- NULL: events are only asked for
  secret TEXT NOT NULL,          -- sealed under the server secret
  old_secret TEXT,
  old_secret_until INTEGER,
  status TEXT NOT NULL CHECK (status IN ('active', 'failing')),
  created_at INTEGER NOT NULL,
  starts TEXT NOT NULL,          -- JSON: the newest change of each state at its creation
  parcels INTEGER NOT NULL,      -- rows of watch_parcel
  newest INTEGER NOT NULL DEFAULT 0,   -- number of its newest event
  delivered INTEGER NOT NULL DEFAULT 0 -- number of the newest event that was delivered
) STRICT;
CREATE INDEX watch_of_account ON watch (account_id, created_at);
CREATE INDEX watch_undelivered ON watch (id)
  WHERE newest > delivered AND status = 'active' AND url IS NOT NULL;
-- A parcel that a watch lists.
CREATE TABLE watch_parcel (
  parcel_key TEXT NOT NULL, -- the property ID without punctuation
  watch_id TEXT NOT NULL,
  property_id TEXT NOT NULL,
  PRIMARY KEY (parcel_key, watch_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX watch_parcel_of_watch ON watch_parcel (watch_id);
-- A change of a parcel by an import is one event of a watch.
CREATE TABLE watch_event (
  number INTEGER PRIMARY KEY,    -- 1, 2, 3 …
  id TEXT NOT NULL,
  watch_id TEXT NOT NULL,
  state TEXT NOT NULL,
  parcel INTEGER NOT NULL,       -- id of the record; below 0: a county that was loaded
  import INTEGER NOT NULL,
  what TEXT NOT NULL,
  property_id TEXT,
  fips INTEGER NOT NULL,
  groups INTEGER NOT NULL,
  at INTEGER NOT NULL,           -- when the import ended
  UNIQUE (watch_id, state, parcel, import)
) STRICT;
CREATE INDEX watch_event_of_watch ON watch_event (watch_id, number);
CREATE INDEX watch_event_of_parcel ON watch_event (state, parcel, import);
-- A POST of up to 100 events of a watch.
CREATE TABLE watch_delivery (
  id TEXT PRIMARY KEY,           -- the webhook-id, the same for every attempt
  watch_id TEXT NOT NULL,
  host TEXT NOT NULL,
  last_event INTEGER NOT NULL,   -- it holds the events after watch.delivered up to this one
  events INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  next_at INTEGER,               -- NULL: it has ended
  status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
  answer TEXT,                   -- of the last attempt: a status, or why there is none
  created_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
CREATE INDEX watch_delivery_due ON watch_delivery (next_at) WHERE status = 'pending';
CREATE INDEX watch_delivery_of_watch ON watch_delivery (watch_id, created_at);
-- How far the feed of changes of a state has been compared with watches.
CREATE TABLE watch_position (
  state TEXT PRIMARY KEY,
  sequence INTEGER NOT NULL
) STRICT;
-- One row: the version of all watches, and the newest event.
CREATE TABLE watch_state (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  version INTEGER NOT NULL,      -- increments with each change of a watch
  last_event INTEGER NOT NULL    -- number of the newest event
) STRICT;
INSERT INTO watch_state VALUES (1, 1, 0);
