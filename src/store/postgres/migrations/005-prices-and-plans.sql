-- What the operator charges: a price per operation that is not the program's own, and plans that
-- give accounts their facts.
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
-- Those of the plan, kept with each of its accounts
ALTER TABLE account ADD COLUMN plan_terms text;
-- Names that the account sets itself, whatever its plan says
ALTER TABLE account ADD COLUMN own_facts text NOT NULL DEFAULT '';
UPDATE account SET own_facts = trim(
  CASE WHEN included_tokens IS NOT NULL THEN 'includedTokens ' ELSE '' END ||
  CASE WHEN overage_cap IS DISTINCT FROM 0 THEN 'overageCap' ELSE '' END);

-- A charge for a request with an Idempotency-Key: never two rows alike.
ALTER TABLE ledger ADD COLUMN idempotency text;
ALTER TABLE ledger ADD COLUMN fingerprint text;                 -- of the query that was charged
CREATE UNIQUE INDEX ledger_idempotency ON ledger (idempotency) WHERE idempotency IS NOT NULL;
