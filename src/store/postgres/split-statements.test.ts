import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBaseline, splitStatements } from './schema.ts'

test('semicolons in comments, texts, names and bodies end no statement', () => {
  const sql = `-- one; two
SELECT ';', 'it''s;' AS "a;b"; -- three;
CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM 1; RETURN NULL; END $$;

CREATE FUNCTION g() RETURNS text LANGUAGE sql AS $body$ SELECT '$$;' $body$;
-- the end;
`
  assert.deepEqual(splitStatements(sql), [
    `-- one; two\nSELECT ';', 'it''s;' AS "a;b"`,
    '-- three;\n' +
      'CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$\n' +
      'BEGIN PERFORM 1; RETURN NULL; END $$',
    `CREATE FUNCTION g() RETURNS text LANGUAGE sql AS $body$ SELECT '$$;' $body$`,
  ])
  assert.deepEqual(splitStatements('SELECT 1'), ['SELECT 1'])
  assert.deepEqual(splitStatements(' ; -- nothing\n'), [])
})

test('every statement of the baseline begins with its verb', () => {
  const statements = readBaseline()
  assert.ok(statements.length > 60, String(statements.length))
  for (const statement of statements) {
    const [verb] = statement.replace(/^(?:\s*--[^\n]*\n)*\s*/, '').split(/\s/)
    assert.match(verb ?? '', /^(?:CREATE|ALTER|INSERT)$/, statement)
  }
})
