-- The operator's prices per operation, and plans that set facts of accounts.
CREATE TABLE price (
  operation text COLLATE "C" PRIMARY KEY,
  tokens bigint NOT NULL CHECK (tokens >= 0)
);
CREATE TABLE plan (
  name text COLLATE "C" PRIMARY KEY,
  terms text NOT NULL          -- JSON: model/plan.ts
);

ALTER TABLE account ADD COLUMN empty_fields text NOT NULL DEFAULT 'null'
  CHECK (empty_fields IN ('null', 'omit'));
-- NULL: unlimited
ALTER TABLE account ADD COLUMN requests_per_minute bigint CHECK (requests_per_minute > 0);
ALTER TABLE account ADD COLUMN plan text;
-- The terms of the plan, copied to each of its accounts
ALTER TABLE account ADD COLUMN plan_terms text;
-- Names of facts that the account sets itself, overriding its plan
ALTER TABLE account ADD COLUMN own_facts text NOT NULL DEFAULT '';
UPDATE account SET own_facts = trim(
  CASE WHEN included_tokens IS NOT NULL THEN 'includedTokens ' ELSE '' END ||
  CASE WHEN overage_cap IS DISTINCT FROM 0 THEN 'overageCap' ELSE '' END);

-- Charges of requests with an Idempotency-Key are unique.
ALTER TABLE ledger ADD COLUMN idempotency text;
ALTER TABLE ledger ADD COLUMN fingerprint text;                 -- of the query that was charged
CREATE UNIQUE INDEX ledger_idempotency ON ledger (idempotency) WHERE idempotency IS NOT NULL;
