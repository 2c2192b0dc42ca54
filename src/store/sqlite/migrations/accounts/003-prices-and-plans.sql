-- The operator's prices per operation, and plans that set facts of accounts.
CREATE TABLE price (
  operation TEXT PRIMARY KEY,
  tokens INTEGER NOT NULL CHECK (tokens >= 0)
) STRICT;
CREATE TABLE plan (
  name TEXT PRIMARY KEY,
  terms TEXT NOT NULL        -- JSON: model/plan.ts
) STRICT;

ALTER TABLE account ADD COLUMN empty_fields TEXT NOT NULL DEFAULT 'null'
  CHECK (empty_fields IN ('null', 'omit'));
-- NULL: unlimited
ALTER TABLE account ADD COLUMN requests_per_minute INTEGER CHECK (requests_per_minute > 0);
ALTER TABLE account ADD COLUMN plan TEXT;
-- The terms of the plan, copied to each of its accounts
ALTER TABLE account ADD COLUMN plan_terms TEXT;
-- Names of facts that the account sets itself, overriding its plan
ALTER TABLE account ADD COLUMN own_facts TEXT NOT NULL DEFAULT '';
UPDATE account SET own_facts = trim(
  CASE WHEN included_tokens IS NOT NULL THEN 'includedTokens ' ELSE '' END ||
  CASE WHEN overage_cap IS NOT 0 THEN 'overageCap' ELSE '' END);

-- Charges of requests with an Idempotency-Key are unique.
ALTER TABLE ledger ADD COLUMN idempotency TEXT;
ALTER TABLE ledger ADD COLUMN fingerprint TEXT;                 -- of the query that was charged
CREATE UNIQUE INDEX ledger_idempotency ON ledger (idempotency) WHERE idempotency IS NOT NULL;
