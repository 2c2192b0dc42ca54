/** Tests on real rolls, which are not part of the project. Skipped if they are absent. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { meets } from '../../test/owner-meets.ts'
import { IS_LONG } from '../../test/repetitions.ts'
import { indexOwners, makeOwnerQuestion, readOwners } from './canonical.ts'
import { leaning, learnNames } from './evidence.ts'

const data = new URL('../../../shared/data/', import.meta.url)
const skip = existsSync(data) ? false : 'the folder of real rolls is absent'
/** Bytes of each roll that `npm test` reads. `npm run test:long` reads all. */
const SAMPLE_BYTES = IS_LONG ? Number.POSITIVE_INFINITY : 1_500_000

const ROLLS = [
  { name: 'Lancaster', folder: 'ne-lancaster', file: /parcels\.csv\.gz$/, columns: ['OWNERNME1'] },
  {
    name: 'Philadelphia',
    folder: 'pa-philadelphia-opa',
    file: /\.csv$/,
    columns: ['owner_1', 'owner_2'],
  },
  { name: 'Seneca', folder: 'oh-seneca', file: /\.csv$/, columns: ['NAME1', 'NAME2'] },
  { name: 'Easthampton', folder: 'ma-easthampton-massgis', file: /\.csv$/, columns: ['OWNER1'] },
]

for (const { name, folder, file, columns } of ROLLS) {
  test(`${name}: a search by surname and first given name finds every person read`, {
    skip,
  }, () => {
    const rows = readRows(folder, file, columns)
    const learner = learnNames()
    for (const [first, second] of rows) learner.add(first, second)
    const evidence = learner.finish()
    let persons = 0
    for (const slots of rows) {
      const reading = readOwners(slots, 'last-first', evidence)
      const index = indexOwners(reading)
      for (const { surname, given } of reading.slots.flatMap((slot) => slot.persons)) {
        const question = makeOwnerQuestion({ lastName: surname, firstName: given[0], fuzzy: false })
        assert.ok(question !== undefined)
        assert.equal(meets(question, index), 'exact')
        persons++
      }
    }
    assert.ok(persons > 1000, `${persons} persons`)
  })
}

type Slots = [string | null, string | null]
const rowsOf = new Map<string, Slots[]>()

/** The owners of a roll, which several tests read. */
function readRows(folder: string, file: RegExp, columns: string[]): Slots[] {
  const known = rowsOf.get(folder)
  if (known !== undefined) return known
  const path = new URL(`${folder}/`, data)
  const found = readdirSync(path).find((entry) => file.test(entry))
  assert.ok(found !== undefined, `no file in ${folder}`)
  const bytes = readFileSync(new URL(found, path))
  const text = (found.endsWith('.gz') ? gunzipSync(bytes) : bytes)
    .subarray(0, SAMPLE_BYTES)
    .toString()
  const whole = text.slice(0, text.lastIndexOf('\n'))
  const records: Record<string, string>[] = parse(whole, {
    bom: true,
    columns: true,
    relax_column_count: true,
    relax_quotes: true,
  })
  const at = (record: Record<string, string>, column: string | undefined) =>
    column === undefined ? null : record[column] || null
  const rows = records.map((record): Slots => [at(record, columns[0]), at(record, columns[1])])
  rowsOf.set(folder, rows)
  return rows
}

for (const { name, folder, file, columns } of ROLLS) {
  test(`${name}: a given name is found as a surname in at most 2 % of persons`, { skip }, () => {
    const rows = readRows(folder, file, columns)
    let persons = 0
    let reversed = 0
    for (const slots of rows) {
      const reading = readOwners(slots, 'last-first')
      const { heads } = indexOwners(reading)
      for (const { slot, persons: read } of reading.slots) {
        for (const { given } of read) {
          const [first = ''] = given
          if (first.length < 2 || leaning(first, undefined) > -1) continue
          persons++
          const found = heads.some(
            (head) => head.slot === slot && head.kind === 'person' && head.head === first,
          )
          if (found) reversed++
        }
      }
    }
    assert.ok(persons > 1000, `${persons} persons`)
    assert.ok(reversed <= persons * 0.02, `${reversed} of ${persons}`)
  })
}
