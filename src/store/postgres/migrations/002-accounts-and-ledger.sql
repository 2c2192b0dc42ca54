-- Accounts, keys and the ledger. Every write to accounts or keys increments `version` in the same
-- transaction, so that one small read shows other processes that their caches are stale. Times are
-- epoch milliseconds, dates YYYY-MM-DD.

CREATE TABLE accounts_version (
  one integer PRIMARY KEY CHECK (one = 1),
  version bigint NOT NULL
);
INSERT INTO accounts_version VALUES (1, 1);

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
  CHECK ((period_start IS NULL) = (period_end IS NULL))
);

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
  UNIQUE (account_id, seq)
);

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
CREATE TABLE ledger_checked (
  one integer PRIMARY KEY CHECK (one = 1),
  id bigint NOT NULL
);
INSERT INTO ledger_checked VALUES (1, 0);
