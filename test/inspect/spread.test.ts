/** Files of several states, whose rows name their county. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { readMapping } from '../../src/import/mapping/mapping.ts'
import { showDraft } from '../../src/inspect/compose/show-draft.ts'
import { inspectFile } from '../../src/inspect/inspect.ts'
import { csvRow } from '../../src/sample/write.ts'
import { importRoll, makeFolder, TODAY, write } from '../import/small-roll.ts'
import { inventRows } from './invented-rows.ts'

const PLACES = [
  ['PA', 'Allegheny', '42003'],
  ['TX', 'Harris', '48201'],
  ['MN', 'Hennepin', '27053'],
] as const
type Place = (typeof PLACES)[number]

const HEADS: Record<string, [string[], (place: Place) => string[]]> = {
  'by letters and names': [['STATE', 'COUNTY'], ([state, county]) => [state, `${county} County`]],
  'by one FIPS code': [['FIPS'], ([, , fips]) => [fips]],
  'by two FIPS codes': [['STATEFP', 'COUNTYFP'], ([, , fips]) => [fips.slice(0, 2), fips.slice(2)]],
}

for (const [manner, [head, tell]] of Object.entries(HEADS)) {
  test(`rows of several states are told ${manner}`, async (t) => {
    const names = [...head, 'APN', 'OWNER', 'SITUS', 'SITUS_CITY', 'MAIL_ADDR', 'MAIL_CITY']
    const rows = PLACES.flatMap((place) =>
      inventRows(place[0], 30).map((row) =>
        csvRow([
          ...tell(place),
          `${place[2]}-${row.i5}`,
          row.owner ?? '',
          row.line ?? '',
          row.city ?? '',
          row.mailLine ?? '',
          row.mailCity ?? '',
        ]),
      ),
    )
    const data = makeFolder(t)
    const file = write(data, 'states.csv', `${csvRow(names)}${rows.join('')}`)
    const { draft } = await inspectFile(file, { today: TODAY, mappings: [] })
    const mapping = readMapping(showDraft(draft), 'the draft')
    const report = await importRoll(data, [file], { mapping })
    assert.equal(report.loaded, 90, JSON.stringify(report.reasons))
    assert.deepEqual(report.counties, ['27053', '42003', '48201'])
  })
}
