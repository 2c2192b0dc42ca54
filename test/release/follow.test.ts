/** `platbook sync` of a release's address follows another Platbook. */
import assert from 'node:assert/strict'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { parquetMetadata } from 'hyparquet'
import { ByteWriter } from 'hyparquet-writer'
import { writeMetadata } from 'hyparquet-writer/src/metadata.js'
import type { Manifest } from '../../src/release/manifest.ts'
import { lot } from '../contract/ogc/roll.ts'
import { times } from '../contract/rolls.ts'
import { startPublisher } from './follower.ts'

const publisher = await startPublisher()
after(() => publisher.close())
const { sync, publish, published, followed, loadHere, key, folder } = publisher

test('the first release is loaded whole, and the same one is not loaded again', async () => {
  await publish('r1', times(60, lot))
  const { how, reason } = await sync('r1', '--key', key)
  assert.deepEqual([how, reason], ['whole', 'nothing was followed before'])
  assert.deepEqual(await followed(), await published())
  assert.equal((await sync('r1')).how, 'unchanged')
})

test('changes are applied when they follow the last release', async () => {
  const rows = times(61, lot)
  Object.assign(rows[3] as object, { ownerName: 'OTHER OWNER', acres: '9.25', yearBuilt: '' })
  await publish('r2', rows)
  const { how, load } = await sync('r2')
  assert.equal(how, 'changes')
  const { loaded, updated } = load as { loaded: number; updated: number }
  assert.deepEqual([loaded, updated], [1, 1])
  assert.deepEqual(await followed(), await published())
})

test('removed parcels leave, and an ID that is written otherwise is another one', async () => {
  const rows = times(59, lot)
  // Of two IDs with the same letters, one leaves, and another comes.
  Object.assign(rows[4] as object, { parcelId: 'LOT-005' })
  rows.push({ ...lot(6), parcelId: 'LOT-006' })
  await publish('r3', rows)
  const { how, load } = await sync('r3')
  assert.equal(how, 'changes')
  const { loaded, updated, removed } = load as Record<string, number>
  assert.deepEqual([loaded, updated, removed], [2, 1, 3])
  assert.deepEqual(await followed(), await published())
  await publish('r3b', rows.slice(2))
  assert.deepEqual((await sync('r3b')).how, 'changes')
  assert.deepEqual(await followed(), await published())
})

test('a load made here is undone by the next release, also after the same one again', async () => {
  const rows = times(60, lot)
  await publish('r3c', rows)
  assert.equal((await sync('r3c')).how, 'changes')
  const own = rows.map((row, at) => (at === 8 ? { ...row, acres: '77' } : row))
  await loadHere(own)
  assert.equal((await sync('r3c')).how, 'unchanged')
  await publish('r3d', times(61, lot))
  const { how, reason } = await sync('r3d')
  assert.deepEqual([how, reason], ['whole', 'WI was changed here since the last one followed'])
  assert.deepEqual(await followed(), await published())
})

test('changes that do not fit are loaded whole, with the reason', async () => {
  await publish('r4', times(60, lot))
  await publish('r5', times(61, lot))
  assert.match(String((await sync('r5')).reason), /not those since the last one/)
  assert.deepEqual(await followed(), await published())
})

test('a release of another key, an older one and a changed one change nothing', async () => {
  const before = await followed()
  const other = Buffer.alloc(32, 7).toString('base64')
  await publish('r6', times(62, lot))
  await assert.rejects(sync('r6', '--key', other), /not signed by the key/)
  const path = join(folder, 'r6', 'changes-wi.parquet')
  const bytes = readFileSync(path)
  const changed = Buffer.from(bytes)
  changed[100] = (changed[100] as number) ^ 1
  writeFileSync(path, changed)
  await assert.rejects(sync('r6'), /not what the manifest says/)
  const signature = join(folder, 'r6', 'manifest.sig')
  const signed = readFileSync(signature)
  writeFileSync(signature, `${Buffer.alloc(64).toString('base64')}\n`)
  await assert.rejects(sync('r6'), /not signed by the key/)
  await assert.rejects(sync('r2'), /older than what was followed/)
  assert.deepEqual(await followed(), before)
  writeFileSync(path, bytes)
  writeFileSync(signature, signed)
  assert.equal((await sync('r6')).how, 'changes')
  assert.deepEqual(await followed(), await published())
})

test('a release with parcels of another state, or an odd manifest, changes nothing', async () => {
  await publish('r7', times(63, lot))
  await publisher.publishOther('ne', times(5, lot))
  const before = await followed()
  // Both are rightly signed: who follows Wisconsin gives nobody Nebraska.
  await publisher.forge('r7', 'whole', (out, manifest) => {
    manifest.previous = null
    copyFileSync(join(folder, 'ne', 'parcels-ne.parquet'), join(out, 'parcels-wi.parquet'))
  })
  await assert.rejects(sync('whole', '--force'), /is a release of WI and has a parcel of NE/)
  const files: [name: string, damage: (bytes: Buffer) => Promise<Buffer>, said: RegExp][] = [
    ['huge', claimRows, /parcels-wi\.parquet has a group of 1099511627776 rows/],
    ['cut', async (bytes) => bytes.subarray(0, 100), /parcels-wi\.parquet is damaged/],
  ]
  for (const [name, damage, said] of files) {
    const path = join(folder, 'r7', 'parcels-wi.parquet')
    const bytes = await damage(readFileSync(path))
    await publisher.forge('r7', name, (out, manifest) => {
      manifest.previous = null
      writeFileSync(join(out, 'parcels-wi.parquet'), bytes)
    })
    await assert.rejects(sync(name, '--force'), said)
  }
  const odd: [text: string, change: (manifest: Manifest) => void][] = [
    ['letters of a terminal', (manifest) => Object.assign(manifest, { dataAt: '\u001b[2J' })],
    ['no date', (manifest) => Object.assign(manifest, { dataAt: { a: 1 } })],
    ['no state', (manifest) => Object.assign(manifest, { state: '../x' })],
    ['a list of states', (manifest) => Object.assign(manifest, { state: ['WI'] })],
  ]
  for (const [at, [text, change]] of odd.entries()) {
    await publisher.forge('r7', `odd${at}`, (_, manifest) => change(manifest))
    await assert.rejects(sync(`odd${at}`), /not that of a release/, text)
  }
  writeFileSync(join(folder, 'odd0', 'manifest.json'), Buffer.alloc(17_000_000, 32))
  await assert.rejects(sync('odd0'), /manifest\.json cannot be downloaded: it has more than 17 MB/)
  assert.deepEqual(await followed(), before)
  assert.equal((await sync('r7')).how, 'changes')
})

test('a file that is larger than the manifest says is not downloaded whole', async () => {
  await publish('r8', times(64, lot))
  const path = join(folder, 'r8', 'changes-wi.parquet')
  const bytes = readFileSync(path)
  writeFileSync(path, Buffer.concat([bytes, Buffer.alloc(5_000_000)]))
  await assert.rejects(
    sync('r8'),
    /changes-wi\.parquet cannot be downloaded: it has more than 1 MB/,
  )
  writeFileSync(path, bytes)
  assert.equal((await sync('r8')).how, 'changes')
})

/** Writes a footer that claims a trillion rows in each group. */
async function claimRows(bytes: Buffer): Promise<Buffer> {
  const metadata = parquetMetadata(new Uint8Array(bytes).buffer)
  for (const group of metadata.row_groups) group.num_rows = 2n ** 40n
  const writer = new ByteWriter()
  writeMetadata(writer, metadata)
  return Buffer.concat([bytes, writer.getBytes(), Buffer.from('PAR1')])
}
