import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hideSecrets } from './hide-secrets.ts'

const HARD = 'postgres://u:p@ss:w/rd#1%@db.example/platbook'
const CASES: [text: string, given: string[], shown: string][] = [
  ['no host at postgres://u:secret@db/x', [], 'no host at postgres://…@db/x'],
  ["input: 'postgres://u:a@b@db/x'", [], "input: 'postgres://…@db/x'"],
  [`Invalid URL: ${HARD}`, [HARD], 'Invalid URL: postgres://…@db.example/platbook'],
  ['getaddrinfo ENOTFOUND p@ss:w/rd#1%', [HARD], 'getaddrinfo ENOTFOUND …'],
  ['of a b@c', ['postgres://u:a%20b%40c@db/x'], 'of …'],
  ['of pass word', ['postgres://u:pass word@db/x'], 'of …'],
  ['of secret', ['TX=postgres://u:secret@db/x'], 'of …'],
  ["host=db password='a b' user=u", [], 'host=db password=… user=u'],
  ['host=db password=abc user=u', [], 'host=db password=… user=u'],
  ['postgres://db.example/platbook', [], 'postgres://db.example/platbook'],
  ['mail to ops@example.org', ['ops@example.org'], 'mail to ops@example.org'],
  ['./data is no folder', ['./data'], './data is no folder'],
  ['--password is no option', [], '--password is no option'],
]
for (const [text, given, shown] of CASES) {
  test(`shown of ${JSON.stringify(text)}`, () => assert.equal(hideSecrets(text, given), shown))
}
