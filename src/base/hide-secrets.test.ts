import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hideSecrets, nameInFolder } from './hide-secrets.ts'

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

for (const [text, folder, named] of [
  ['/var/platbook/uploads/a.csv has no header', '/var/platbook', 'uploads/a.csv has no header'],
  ['/var/platbook/uploads/a.csv is empty', '/var/platbook/', 'uploads/a.csv is empty'],
  [`${process.cwd()}/data/parcels.db is damaged`, 'data', 'parcels.db is damaged'],
  ['./data/parcels.db is damaged', './data', 'parcels.db is damaged'],
  ['/var/p/console/ebd93af8e754b03362b3845c/file/a.pdf is a PDF', '/var/p', 'a.pdf is a PDF'],
  // Near misses: other folders, and the folder itself.
  ['/var/platbook2/a.csv is empty', '/var/platbook', '/var/platbook2/a.csv is empty'],
  ['the data folder /var/platbook does not exist', '/var/platbook', undefined],
  ['1/2 of the rows', '/', undefined],
  ['metadata/a.csv is empty', 'data', undefined],
  ['../data/a.csv is empty', 'data', undefined],
  ['/mnt/var/platbook/a.csv is empty', '/var/platbook', undefined],
] as const) {
  test(`"${text}" names files relative to ${folder}`, () => {
    assert.equal(nameInFolder(text, folder), named ?? text)
  })
}
