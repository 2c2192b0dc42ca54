/**
 * Cities of one-line addresses, learned from rows that show them for certain; texts that state that
 * there is no address.
 */
import assert from 'node:assert/strict'
import test from 'node:test'
import { loadMapping } from '../../src/import/mapping/mapping.ts'
import { csvRow } from '../../src/sample/write.ts'
import { importRoll, makeFolder, openLoaded, readParcel, write } from './small-roll.ts'

const place = { state: 'OR', county: 'Washington' }
const base = { ...loadMapping('platbook'), name: 'x', nameOrder: 'last-first' as const }

test('a city that two rows have after a comma is cut from a row without a comma', async (t) => {
  const data = makeFolder(t)
  const sure = ['1 OAK ST, QUARRYVILLE, OR 97124', '2 OAK ST, QUARRYVILLE, OR 97124']
  const doubtful = ['3 BROADWAY QUARRYVILLE OR, 97124', '4 THE ALAMEDA QUARRYVILLE OR 97124-1234']
  const mails = ['PO BOX 7, NOWHEREVILLE, WA 98001', '8 ELM ST, NOWHEREVILLE, WA 98001']
  const lines = [...sure, ...doubtful].map((line, at) => [
    `R${at}`,
    `CARVER MARY ${at}`,
    line,
    mails[at] ?? '9 THE GREEN NOWHEREVILLE WA 98001',
  ])
  const file = write(
    data,
    'roll.csv',
    [['PIN', 'OWNER', 'SITUS', 'MAIL'], ...lines].map(csvRow).join(''),
  )
  const fields = {
    parcelId: 'PIN',
    ownerName1: 'OWNER',
    addressFull: 'SITUS',
    ownerAddressFull: 'MAIL',
  }
  for (const threads of [0, 2]) {
    const into = makeFolder(t)
    const report = await importRoll(into, [file], {
      ...place,
      threads,
      mapping: { ...base, fields },
    })
    assert.equal(report.loaded, 4)
    const store = openLoaded(t, into)
    const found = await Promise.all(lines.map(([id = '']) => readParcel(store, 'OR', 41067, id)))
    assert.deepEqual(
      found.map(({ address, city, zipCode }) => [address, city, zipCode]),
      ['1 OAK ST', '2 OAK ST', '3 BROADWAY', '4 THE ALAMEDA'].map((line) => [
        line,
        'QUARRYVILLE',
        '97124',
      ]),
    )
    assert.deepEqual(
      found.map(({ ownerStreet, ownerCity }) => [ownerStreet, ownerCity]),
      ['PO BOX 7', '8 ELM ST', '9 THE GREEN', '9 THE GREEN'].map((line) => [line, 'NOWHEREVILLE']),
    )
  }
})

test('texts for a missing address give no address in every address field', async (t) => {
  const words = ['No Address Found', 'UNKNOWN', 'Unassigned', 'NO SITUS ADDRESS', 'not available']
  const data = makeFolder(t)
  const rows = words.map((text, at) => [`R${at}`, text, `${text}, HILLTOWN, OR 97124`])
  const file = write(data, 'roll.csv', [['PIN', 'LINE', 'WHOLE'], ...rows].map(csvRow).join(''))
  for (const fields of [
    { address: 'LINE', ownerAddressLine1: 'LINE' },
    { addressFull: 'WHOLE', ownerAddressFull: 'WHOLE' },
    { addressFull: 'LINE', ownerAddressFull: 'LINE' },
    { streetName: 'LINE' },
    { streetName: 'LINE', streetNumber: 'PIN_NUMBER' },
    { addressRaw: 'LINE', address: 'LINE' },
  ]) {
    const into = makeFolder(t)
    const mapping = { ...base, optional: '*' as const, fields: { parcelId: 'PIN', ...fields } }
    await importRoll(into, [file], { ...place, mapping, force: true })
    const store = openLoaded(t, into)
    for (const [at, text] of words.entries()) {
      const parcel = await readParcel(store, 'OR', 41067, `R${at}`)
      const { address, ownerStreet, addressAssigned, streetName } = parcel
      assert.deepEqual(
        [address, ownerStreet, addressAssigned, streetName],
        [null, null, false, null],
        `${text} ${JSON.stringify(fields)}`,
      )
    }
  }
  const into = makeFolder(t)
  const mapping = { ...base, fields: { parcelId: 'PIN' }, furtherAddresses: ['LINE'] }
  await importRoll(into, [file], { ...place, mapping, force: true })
  const store = openLoaded(t, into)
  for (const at of words.keys()) {
    assert.deepEqual((await readParcel(store, 'OR', 41067, `R${at}`)).alternateAddresses, [])
  }
})

test('a short code without a state is a ZIP where its city is, and else counted', async (t) => {
  const data = makeFolder(t)
  const rows = [
    ['R1', 'TRENTON', '8608'],
    ['R2', 'ZURICH', '8001'],
  ]
  const file = write(data, 'roll.csv', [['PIN', 'CITY', 'ZIP'], ...rows].map(csvRow).join(''))
  const fields = { parcelId: 'PIN', ownerCity: 'CITY', ownerZipCode: 'ZIP' }
  const report = await importRoll(data, [file], { ...place, mapping: { ...base, fields } })
  const store = openLoaded(t, data)
  const zip = async (id: string) => (await readParcel(store, 'OR', 41067, id)).ownerZipCode
  assert.deepEqual([await zip('R1'), await zip('R2')], ['08608', null])
  assert.deepEqual(
    [report.unread, report.unreadSamples.ownerZipCode],
    [{ ownerZipCode: 1 }, ['8001']],
  )
})
