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
