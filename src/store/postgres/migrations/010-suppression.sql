-- Suppressed people and homes: hashes only, see store/suppressions.ts and docs/privacy.md.
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
