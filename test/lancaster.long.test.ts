/**
 * A real county: imported with the real command, a part of it twice, then looked up. Skips where
 * `../shared/data` is absent.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createReadStream, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { createGunzip } from 'node:zlib'
import { ROOT } from './ledger/running-service.ts'
import { startService, type TestService } from './service.ts'

const ROLL = join(ROOT, '../shared/data/ne-lancaster/lancaster_parcels.csv.gz')
const PARCELS = 105_243
/** One row in this many is looked up. */
const STRIDE = 500
/** Every so manieth is loaded once more. */
const AGAIN = 10

const skip = existsSync(ROLL) ? false : `${ROLL.replace(/^.*shared/, '../shared')} is absent`
const data = mkdtempSync(join(tmpdir(), 'platbook-lancaster-'))
let service: TestService | undefined
after(async () => {
  await service?.close()
  rmSync(data, { recursive: true, force: true })
})

function importRoll(file: string, ...more: string[]) {
  const words = ['import', file, '--mapping', 'ne-lancaster', '--json', '--data', data, ...more]
  const printed = execFileSync(process.execPath, [join(ROOT, 'src/cli/main.ts'), ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return JSON.parse(printed)
}

/** The header line, and every so manieth row: no field of this roll holds a line break. */
async function readSome(stride: number): Promise<string[]> {
  const lines = createInterface({ input: createReadStream(ROLL).pipe(createGunzip()) })
  const some: string[] = []
  let number = 0
  for await (const line of lines) {
    if (number % stride === 0) some.push(line)
    number += 1
  }
  return some
}

/**
 * Parcel IDs of the sampled rows: runs of 13 digits at the start of a line or alone in a column.
 */
async function sampleIds(): Promise<string[]> {
  const ids = (await readSome(STRIDE)).map((line) => /(?:^|,)"?(\d{13})"?(?=,|$)/.exec(line)?.[1])
  return ids.filter((id) => id !== undefined)
}

test('105,243 parcels are loaded, and rows of the same file again leave all unchanged', {
  skip,
}, async () => {
  const first = importRoll(ROLL)
  assert.deepEqual(
    [first.loaded, first.updated, first.unchanged, first.removed],
    [PARCELS, 0, 0, 0],
  )
  assert.deepEqual(first.counties, ['31109'])
  // Whole rolls, twice: test/import/real-rolls.long.test.ts.
  const some = await readSome(AGAIN)
  const part = join(data, 'part.csv')
  writeFileSync(part, `${some.join('\n')}\n`)
  const second = importRoll(part, '--partial')
  assert.deepEqual(
    [second.loaded, second.updated, second.unchanged, second.removed],
    [0, 0, some.length - 1, 0],
  )
})

type Sampled = {
  id: string
  propertyIdentification: {
    parcelId: string
    currentOwner: { ownerName: string | null }
  }
  propertyLocation: Record<string, string | null> & { addressAssigned: unknown }
}
const sampled: Sampled[] = []
const place = { state: 'NE', county: 'Lancaster' }

test('sampled parcels by parcel ID, also in the printed form', { skip }, async () => {
  service = await startService('', { data })
  const ids = await sampleIds()
  assert.ok(ids.length > 150, `${ids.length} sampled`)
  for (const parcelId of ids) {
    const path = '/public/property/parcelId/'
    const { status, body } = await service.get(path, { ...place, parcelId })
    assert.equal(status, 200, parcelId)
    assert.equal(body.property.propertyIdentification.parcelId, parcelId)
    sampled.push(body.property)
    const printed = parcelId.replace(/^(\d\d)(\d\d)(\d{3})(\d{3})(\d{3})$/, '$1-$2-$3-$4-$5')
    const again = await service.get(path, { ...place, parcelId: printed })
    assert.equal(again.body.property?.id, body.property.id, printed)
    assert.equal(again.headers.get('x-match'), 'normalized')
  }
})

test('sampled parcels by address: the parcel itself, or one of those that share it', {
  skip,
}, async () => {
  let looked = 0
  for (const { id, propertyLocation } of sampled) {
    const { address, unitNumberStripped, city, addressAssigned } = propertyLocation
    if (addressAssigned !== true || typeof address !== 'string') continue
    looked += 1
    const { status, body, headers } = await (service as TestService).get(
      '/public/property/address/',
      {
        ...place,
        address,
        ...(city && { city }),
        ...(unitNumberStripped && { unit: unitNumberStripped }),
      },
    )
    assert.equal(status, 200, address)
    assert.equal(body.property.propertyLocation.address, address)
    if (body.property.id !== id) assert.ok(Number(headers.get('x-match-count')) > 1, address)
  }
  assert.ok(looked > 100, `${looked} looked up`)
})

test('sampled parcels by their whole recorded owner name', { skip }, async () => {
  let found = 0
  for (const { id, propertyIdentification } of sampled) {
    const { ownerName } = propertyIdentification.currentOwner
    if (ownerName === null) continue
    const { status, body } = await (service as TestService).get('/public/premium/owner/', {
      ...place,
      nameContains: ownerName,
      limit: 25,
    })
    assert.equal(status, 200, ownerName)
    const ids = body.properties.map((property: Sampled) => property.id)
    if (ids.length < 25) assert.ok(ids.includes(id), ownerName)
    found += 1
  }
  assert.ok(found > 150, `${found} searched`)
})
