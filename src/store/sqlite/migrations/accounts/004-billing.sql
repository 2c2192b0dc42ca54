-- The link between accounts and customers of a billing provider. Times are epoch milliseconds.
CREATE TABLE billing_link (
  account_id TEXT PRIMARY KEY REFERENCES account (id),
  customer TEXT NOT NULL UNIQUE, -- id of the provider's customer
  linked_at INTEGER NOT NULL,
  revision INTEGER NOT NULL,     -- raised whenever facts are settled
  synced_at INTEGER,             -- when facts were last read from the provider
  facts TEXT NOT NULL,           -- JSON of the facts that were read then
  problem TEXT                   -- why reading failed since
) STRICT;
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
CREATE TABLE billing_state (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  polled_at INTEGER,             -- when the provider's events were last read to their end
  polled_to INTEGER              -- newest event that was read then, at the provider
) STRICT;
INSERT INTO billing_state VALUES (1, NULL, NULL);
CREATE INDEX operator_log_subject ON operator_log (subject, id);
