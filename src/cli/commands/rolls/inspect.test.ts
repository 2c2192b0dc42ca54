import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { runCommand } from '../../../../test/command.ts'
import { loadMapping } from '../../../import/mapping/mapping.ts'
import { inspectCommand } from './inspect.ts'

const ROLLS = new URL('../../../../test/fixtures/rolls/', import.meta.url).pathname
const UNKNOWN = join(ROLLS, 'teaching-county.csv')

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'platbook-inspect-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

test('a known layout is named, and no draft is printed', async (t) => {
  const { out } = await runCommand(inspectCommand, [join(ROLLS, 'wi-statewide.csv')], {
    data: folder(t),
  })
  assert.match(out, /The mapping wi-statewide \(.*\) fits: 36 of the 36 columns/)
  assert.doesNotMatch(out, /"fields"/)
})

test('an unknown layout gives a draft that --out writes and never overwrites', async (t) => {
  const data = folder(t)
  const draft = join(data, 'my.json')
  const { out } = await runCommand(inspectCommand, [UNKNOWN, '--out', draft], { data })
  assert.match(out, /No built-in mapping fits/)
  assert.match(out, /price 1: SALE_AMT 21/)
  assert.match(out, /the county is not known: give --county/)
  const mapping = loadMapping(draft)
  assert.equal(mapping.state, 'OR')
  assert.equal(mapping.county, undefined)
  const { $schema = '' } = JSON.parse(readFileSync(draft, 'utf8')) as { $schema?: string }
  assert.ok(existsSync(join(data, $schema)), $schema)
  await assert.rejects(
    runCommand(inspectCommand, [UNKNOWN, '--out', draft], { data }),
    /is there already/,
  )
  await runCommand(
    inspectCommand,
    [UNKNOWN, '--out', draft, '--force', '--state', 'OR', '--county', 'Lake'],
    { data },
  )
  assert.equal(loadMapping(draft).county, 'Lake')
})

test('--json gives columns, fits and the draft as it would be loaded', async (t) => {
  const run = await runCommand(inspectCommand, [UNKNOWN, '--json'], { data: folder(t) })
  const { rows, mapping, columns, draft, guesses } = run.json() as {
    rows: number
    mapping: string | null
    columns: { name: string; fill: number; field: string | null; nulls: Record<string, number> }[]
    draft: { fields: Record<string, unknown> }
    guesses: { name: string; certainty: number; why: string }[]
  }
  assert.equal(rows, 242)
  assert.equal(mapping, null)
  assert.deepEqual(draft.fields.parcelId, { column: 'TAXLOT' })
  const deed = columns.find(({ name }) => name === 'DEED_REF')
  assert.deepEqual(deed?.nulls, { 'the word NA': 45 })
  assert.equal(deed?.field, 'transfers.transferDocNum')
  const county = guesses.find(({ name }) => name === 'county')
  assert.ok(county !== undefined && county.certainty < 0.6 && county.why !== '')
})

test('an unreadable file is an error in one sentence', async (t) => {
  const data = folder(t)
  const run = (words: string[]) => runCommand(inspectCommand, words, { data })
  writeFileSync(join(data, 'empty.csv'), '')
  writeFileSync(join(data, 'picture.csv'), Buffer.from([0x89, 0x50, 0, 0, 1, 2, 3, 4]))
  await assert.rejects(run([join(data, 'none.csv')]), /does not exist/)
  await assert.rejects(run([join(data, 'empty.csv')]), /is empty/)
  await assert.rejects(run([join(data, 'picture.csv')]), /is not a text file/)
  await assert.rejects(run([UNKNOWN, '--county', 'Lake']), /--county needs --state/)
  await assert.rejects(run([UNKNOWN, '--state', 'XX']), /is not a US state/)
  await assert.rejects(run([]), /usage: platbook inspect SOURCE…/)
})

test('a file of a header alone is inspected too', async (t) => {
  const data = folder(t)
  const file = join(data, 'head.csv')
  writeFileSync(file, 'PIN,OWNER,SITUS_ADDR\n')
  const { out } = await runCommand(inspectCommand, [file], { data })
  assert.match(out, /0 rows, 3 columns/)
})

test('a damaged ZIP file is an error in one sentence', async (t) => {
  const data = folder(t)
  const file = join(data, 'roll.zip')
  writeFileSync(file, 'PK\u0003\u0004 and no more')
  await assert.rejects(
    runCommand(inspectCommand, [file], { data }),
    /roll\.zip is cut short or damaged/,
  )
})
