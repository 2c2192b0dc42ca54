-- The link between accounts and customers of a billing provider. Times are epoch milliseconds.
CREATE TABLE billing_link (
  account_id text COLLATE "C" PRIMARY KEY REFERENCES account (id),
  customer text COLLATE "C" NOT NULL UNIQUE, -- id of the provider's customer
  linked_at bigint NOT NULL,
  revision bigint NOT NULL,      -- raised whenever facts are settled
  synced_at bigint,              -- when facts were last read from the provider
  facts text NOT NULL,           -- JSON of the facts that were read then
  problem text                   -- why reading failed since
);
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
CREATE TABLE billing_state (
  one bigint PRIMARY KEY CHECK (one = 1),
  polled_at bigint,              -- when the provider's events were last read to their end
  polled_to bigint               -- newest event that was read then, at the provider
);
INSERT INTO billing_state VALUES (1, NULL, NULL);
CREATE INDEX operator_log_subject ON operator_log (subject, id);
