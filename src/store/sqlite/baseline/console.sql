-- The schema of console.db: who may use the console, their sessions, and links that sign in once.
-- A change of this file raises the number in base/schema-number.ts.

-- One row an operator of the console.
CREATE TABLE operator (
  name TEXT PRIMARY KEY,
  role TEXT NOT NULL,              -- viewer, operator, admin
  salt BLOB NOT NULL,
  hash BLOB NOT NULL,              -- scrypt of the passphrase
  created_at INTEGER NOT NULL,
  disabled_at INTEGER
) STRICT, WITHOUT ROWID;

-- One row a signed-in browser, as a hash.
CREATE TABLE session (
  hash BLOB PRIMARY KEY,           -- SHA-256 of what the cookie holds
  operator TEXT NOT NULL,
  role TEXT NOT NULL,
  ends_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- One row a sign-in link that was not used yet.
CREATE TABLE link (
  hash BLOB PRIMARY KEY,           -- SHA-256 of the token in the link
  ends_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- One row a link that opens an account's page for its owner.
CREATE TABLE owner_link (
  id TEXT PRIMARY KEY,             -- random; a link is valid while its row is here
  account_id TEXT NOT NULL,
  operator TEXT NOT NULL,          -- who made it
  made_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- One row: the secret that signs links to accounts' pages.
CREATE TABLE secret (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  value BLOB NOT NULL              -- signs the links of account owners
) STRICT;
