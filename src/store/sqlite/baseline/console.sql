-- The schema of console.db: who may use the console, their sessions, and links that sign in once.
-- A change of this file raises the number in base/schema-number.ts.

CREATE TABLE operator (
  name TEXT PRIMARY KEY,
  role TEXT NOT NULL,              -- viewer, operator, admin
  salt BLOB NOT NULL,
  hash BLOB NOT NULL,              -- scrypt of the passphrase
  created_at INTEGER NOT NULL,
  disabled_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE session (
  hash BLOB PRIMARY KEY,           -- SHA-256 of what the cookie holds
  operator TEXT NOT NULL,
  role TEXT NOT NULL,
  ends_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE link (
  hash BLOB PRIMARY KEY,           -- SHA-256 of the token in the link
  ends_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE secret (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  value BLOB NOT NULL              -- signs the links of account owners
) STRICT;
