-- Suppressed people and homes: hashes only, see store/suppressions.ts and docs/privacy.md.
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
