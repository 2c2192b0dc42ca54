/**
 * What a record shows as its unit, asked back with its address, finds a record with that address
 * and unit.
 */
import assert from 'node:assert/strict'
import test from 'node:test'
import { lookUpAddress } from '../../src/address/lookup.ts'
import { foldCity } from '../../src/base/fold.ts'
import { decodeParcel } from '../../src/record/stored.ts'
import { sampleCsv } from '../../src/sample/generate.ts'
import { importRoll, makeFolder, openLoaded, write } from './small-roll.ts'

/** Units in manners that the sample does not have. */
const ODD = [
  'BLDG 2 UNIT 1A',
  'BLDG 3 UNIT 1A',
  'BLDG C APT 4 FL 2',
  'FL 2',
  'FLOOR GROUND',
  'PH',
  'PH 3',
  'REAR',
  'RM 17',
  'APT GARDEN',
  'STE 100-A',
  '# 0012',
  'TWR 2 # 401',
  'SLIP 14 PIER 3',
]

test('every unit of the sample is found as it is shown, compound units too', async (t) => {
  const rows = [...sampleCsv({ parcels: 1_000, seed: 7 })].join('')
  const columns = (rows.split('\n')[0] ?? '').split(',')
  const odd = ODD.map((unit, at) =>
    columns
      .map((name) => {
        if (name === 'parcelId') return `ODD-${at}`
        if (name === 'address') return `400 QUARRY ST ${unit}`
        return { state: 'NE', county: 'Lancaster', city: 'LINCOLN' }[name] ?? ''
      })
      .join(','),
  )
  const data = makeFolder(t)
  const file = write(data, 'sample.csv', `${rows.trimEnd()}\n${odd.join('\n')}\n`)
  const report = await importRoll(data, [file], { mapping: 'platbook' })
  const reader = openLoaded(t, data)
  let [walked, asked] = [0, 0]
  for (const state of new Set((await reader.coverage()).map((county) => county.state))) {
    let afterId = 0
    for (let done = false; !done; ) {
      const page = await reader.page(
        { state, assignedOnly: false },
        { afterId, skip: 0, limit: 500 },
        Infinity,
      )
      done = page.done
      afterId = page.lastId
      for (const { fieldValues } of page.parcels) {
        walked += 1
        const { address, unitType, unitNumberStripped, fips, city } = decodeParcel(fieldValues)
        const unitNumber = [unitType, unitNumberStripped].filter((text) => text !== null).join(' ')
        if (address === null || unitNumber === '') continue
        const place = { state, fips, city: city === null ? undefined : foldCity(city) }
        const questions = [
          { address, unit: unitNumber },
          { address: `${address} ${unitNumber}`, unit: undefined },
          ...(unitNumberStripped === null ? [] : [{ address, unit: unitNumberStripped }]),
        ]
        for (const question of questions) {
          asked += 1
          const label: string = `${address} ${unitNumber} asked as ${JSON.stringify(question)}`
          const finding = await lookUpAddress({ ...place, ...question }, reader)
          assert.equal(finding.outcome === 'found' && finding.match, 'exact', label)
          if (finding.outcome !== 'found') continue
          const [parcel] = await reader.byIds(state, [finding.hit.id])
          const found = decodeParcel(parcel?.fieldValues ?? '')
          assert.deepEqual(
            [found.address, found.unitType, found.unitNumberStripped],
            [address, unitType, unitNumberStripped],
            label,
          )
        }
      }
    }
  }
  assert.equal(walked, report.loaded)
  assert.ok(asked > 300, String(asked))
})
