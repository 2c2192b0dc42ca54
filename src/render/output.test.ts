import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BARE_PARCEL, FULL_PARCEL } from '../../test/parcel.ts'
import { encodeParcel } from '../record/stored.ts'
import { bytes, pieceOf } from './memory.ts'
import { Output, releaseBuffer } from './output.ts'
import { renderList, renderParcel, renderProperty } from './render.ts'

const memorySize = () => bytes.length

const stored = (ownerName: string, id = 1) => ({
  id,
  loadedAt: 0,
  fieldValues: encodeParcel({ ...FULL_PARCEL, ownerName }),
  geometry: null,
})

test('pieces of every length are written one after the other', () => {
  const output = new Output()
  const lengths = Array.from({ length: 40 }, (_, at) => at)
  for (const length of lengths) output.piece(pieceOf('x'.repeat(length) + length))
  assert.equal(output.take(), lengths.map((length) => 'x'.repeat(length) + length).join(''))
})

test('a short answer beyond ASCII and a long one are bytes', () => {
  assert.equal(typeof renderProperty(stored('MUNOZ'), 'flat'), 'string')
  const bytes = renderProperty(stored('MUÑOZ 😀'), 'flat')
  assert.ok(Buffer.isBuffer(bytes))
  assert.equal(JSON.parse(bytes.toString()).property.ownerName1, 'MUÑOZ 😀')
})

test('an answer is not touched by those rendered after it, and grows past any buffer', () => {
  const page = (name: string, count: number) =>
    renderList(
      Array.from({ length: count }, (_, at) => stored(name, at)),
      'nested',
      '{}',
    )
  const first = page('A', 100)
  const before = first.toString()
  releaseBuffer(page('B', 100) as Buffer<ArrayBuffer>)
  page('C', 400)
  assert.equal(first.toString(), before)
  const one = renderParcel(stored('A', 99), 'nested')
  assert.ok(before.includes(`${one}],"metadata"`))
  assert.equal(JSON.parse(page('D', 1000).toString()).properties.length, 1000)
})

test('a record larger than the room for one is shown whole', () => {
  const name = 'É'.repeat(30_000)
  assert.equal(JSON.parse(renderParcel(stored(name), 'flat')).ownerName1, name)
  assert.equal(JSON.parse(renderParcel(stored('A'), 'flat')).ownerName1, 'A')
})

test('a record of many megabytes is rendered whole within its own size of memory', () => {
  const large = 'x'.repeat(10_000_000)
  const before = memorySize()
  const parcel = { ...FULL_PARCEL, legalDescription: large }
  const shown = renderProperty(
    { id: 1, loadedAt: 0, fieldValues: encodeParcel(parcel), geometry: null },
    'flat',
  )
  assert.equal(JSON.parse(shown.toString()).property.legalDesc, large)
  assert.ok(memorySize() - before < 3.5 * large.length, `${memorySize() - before} bytes`)
})

test('a record that was loaded at no possible time is not shown, and spoils none after it', () => {
  const shown = renderParcel(stored('A'), 'flat')
  for (const loadedAt of [3e11, -1e11, Number.NaN]) {
    assert.throws(() => renderParcel({ ...stored('A'), loadedAt }, 'flat'))
  }
  assert.equal(renderParcel(stored('A'), 'flat'), shown)
})

test('a record whose text is damaged is not shown, and spoils none after it', () => {
  const whole = { id: 1, loadedAt: 0, fieldValues: encodeParcel(BARE_PARCEL), geometry: null }
  const shown = renderParcel(whole, 'nested')
  const cut = {
    ...whole,
    fieldValues: whole.fieldValues.slice(0, whole.fieldValues.lastIndexOf('\u001f')),
  }
  assert.throws(() => renderParcel(cut, 'nested'), /damaged/)
  assert.throws(() => renderParcel({ ...whole, fieldValues: '' }, 'flat'), /record 1 is damaged/)
  assert.equal(renderParcel(whole, 'nested'), shown)
})

test('records of different fields follow each other, each in its own shape', () => {
  const texts = [FULL_PARCEL, BARE_PARCEL, { ...BARE_PARCEL, city: 'LINCOLN' }].map(encodeParcel)
  const records = [0, 1, 2, 1, 0, 2].map((which, at) => ({
    id: at,
    loadedAt: 0,
    fieldValues: texts[which] as string,
    geometry: null,
  }))
  const list = JSON.parse(renderList(records, 'flat', '{}').toString()).properties
  for (const [at, record] of records.entries()) {
    assert.deepEqual(list[at], JSON.parse(renderParcel(record, 'flat')))
  }
  assert.deepEqual(
    list.map(({ city }: { city: string | null }) => city),
    [FULL_PARCEL.city, null, 'LINCOLN', null, FULL_PARCEL.city, 'LINCOLN'],
  )
})

test('numbers of parcels of an owner are shown whole', () => {
  const owned = { parcels: 1234567890, residential: 0, other: 10 }
  const id = Number.MAX_SAFE_INTEGER
  const shown = JSON.parse(renderParcel({ ...stored('A', id), owned }, 'flat'))
  assert.equal(shown.siteId, String(id))
  const { ownerParcelCount, ownerResCount, ownerComCount } = shown
  assert.deepEqual([ownerParcelCount, ownerResCount, ownerComCount], [1234567890, 0, 10])
})
