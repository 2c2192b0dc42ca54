-- Accounts, keys and the ledger. Every write to accounts or keys increments `version` in the same
-- transaction, so that one small read shows other processes that their caches are stale. Times are
-- epoch milliseconds, dates YYYY-MM-DD.

CREATE TABLE state (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  version INTEGER NOT NULL
) STRICT;
INSERT INTO state VALUES (1, 1);

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
  CHECK ((period_start IS NULL) = (period_end IS NULL))
) STRICT;

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
  UNIQUE (account_id, seq)
) STRICT;

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
CREATE TABLE ledger_checked (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  id INTEGER NOT NULL
) STRICT;
INSERT INTO ledger_checked VALUES (1, 0);
