/** A release is the same for the same data, whole, signed, and served; any other byte is found. */
import assert from 'node:assert/strict'
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Ajv } from 'ajv'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { PMTiles } from 'pmtiles'
import * as releaseCommands from '../../src/cli/commands/rolls/release.ts'
import { tileAt } from '../../src/geo/tile.ts'
import { beginArchive, tileIdOf } from '../../src/release/pmtiles.ts'
import { runCommand } from '../command.ts'
import { lot, ROLL } from '../contract/ogc/roll.ts'
import { makeRoll, times } from '../contract/rolls.ts'
import { startService } from '../service.ts'

const folder = mkdtempSync(join(tmpdir(), 'platbook-releases-'))
const service = await startService('', { releases: folder })
await service.importRoll(ROLL, { geometry: true })
after(async () => {
  await service.close()
  rmSync(folder, { recursive: true })
})
const { data } = service.config
let env: Record<string, string> | undefined

async function run(name: string, ...words: string[]) {
  const command = Object.values(releaseCommands).find((one) => one.name === name)
  assert.ok(command)
  const asked = words.filter((word) => !word.startsWith('stop at '))
  const stop = words.find((word) => word.startsWith('stop at '))?.replace('stop at', 'writing')
  const onReport = (line: string) => void (line === stop && process.emit('SIGTERM'))
  return runCommand(command, asked, { data, onReport, ...(env && { env }) })
}

const out = (name: string) => join(folder, name)
const made = await run('release keygen')
const publicKey = made.out.trim()
const built = await run('release', '--state', 'WI', '--out', out('first'))

const read = (name: string, file: string) => readFileSync(join(out(name), file))
const verify = (name: string, ...words: string[]) => run('release verify', out(name), ...words)

test('the same data gives the same bytes', async () => {
  await run('release', '--state', 'WI', '--out', out('again'))
  const names = readdirSync(out('first')).sort()
  assert.deepEqual(names, [
    ...['README.md', 'catalog.json', 'data.json', 'item.json', 'manifest.json', 'manifest.sig'],
    ...['parcels-wi.parquet', 'parcels-wi.pmtiles', 'quality.json'],
  ])
  for (const name of names) assert.deepEqual(read('again', name), read('first', name), name)
  await assert.rejects(run('release', '--state', 'WI', '--out', out('first')), /not empty/)
})

test('data.json has a contact and absolute addresses where the settings say them', async (t) => {
  t.after(() => {
    env = undefined
  })
  const read = (name: string) => {
    const [dataset] = JSON.parse(readFileSync(join(out(name), 'data.json'), 'utf8')).dataset
    const [first] = dataset.distribution
    return [dataset.contactPoint.hasEmail, first.downloadURL]
  }
  assert.deepEqual(read('first'), [undefined, './parcels-wi.parquet'])
  assert.match(built.err, /data\.json has no mail address as contact, .*PLATBOOK_CONTACT/)
  env = {
    ...{ PLATBOOK_CONTACT: 'gis@example.org', PLATBOOK_RELEASES: folder },
    PLATBOOK_PUBLIC_URL: 'https://plat.example.org/v1/',
  }
  const named = await run('release', '--state', 'WI', '--out', out('named/a.1'))
  assert.doesNotMatch(named.err, /contact/)
  const address = 'https://plat.example.org/v1/releases/named/a.1/parcels-wi.parquet'
  assert.deepEqual(read('named/a.1'), ['mailto:gis@example.org', address])
  for (const folder of [join(data, 'elsewhere'), out('un served')]) {
    await run('release', '--state', 'WI', '--out', folder)
    const text = readFileSync(join(folder, 'data.json'), 'utf8')
    assert.match(text, /"\.\/parcels-wi\.parquet"/)
  }
})

test('a build that was stopped is continued, and gives the same bytes', async () => {
  for (const part of ['tiles', 'changes']) {
    const words = ['--state', 'WI', '--out', out(part), '--since', out('first')]
    await assert.rejects(run('release', ...words, `stop at ${part}`), /the same command continues/)
    const kept = join(out(part), '.draft', 'parcels-wi.parquet')
    // Parcels and tiles are written at the same time: a stop there ends both.
    const ino = part === 'changes' ? statSync(kept).ino : undefined
    await run('release', ...words)
    const made = statSync(join(out(part), 'parcels-wi.parquet')).ino
    if (ino !== undefined) assert.equal(made, ino, part)
    const names = readdirSync(out(part))
    assert.ok(names.every((name) => !name.startsWith('.')))
    for (const name of names) assert.deepEqual(read(part, name), read('tiles', name), name)
    const tiles = 'parcels-wi.pmtiles'
    assert.deepEqual(read(part, tiles), read('first', tiles))
  }
})

test('tiles continue after the last zoom that was kept', async (t) => {
  const draft = join(folder, 'tiles.part')
  t.after(() => rmSync(draft, { force: true }))
  const first = await beginArchive(draft)
  const tile = { z: 0, x: 0, y: 0 }
  await first.add(tile, Buffer.from('one'))
  await first.keep(0, [tile])
  // A part of the next zoom was written when it was killed.
  await first.add({ z: 1, x: 0, y: 0 }, Buffer.from('lost'))
  await first.close()
  const second = await beginArchive(draft)
  assert.deepEqual([second.kept?.zoom, second.kept?.full], [0, [tile]])
  await second.add({ z: 1, x: 0, y: 0 }, Buffer.from('one'))
  await second.add({ z: 1, x: 1, y: 1 }, Buffer.from('two'))
  const parts: Buffer[] = []
  const file = { write: async (bytes: Uint8Array) => void parts.push(Buffer.from(bytes)) }
  const bounds: [number, number, number, number] = [0, 0, 1, 1]
  await second.finish(file as never, { bounds, minZoom: 0, maxZoom: 1, metadata: {} })
  assert.match(Buffer.concat(parts).toString('latin1'), /onetwo$/)
})

test('a disk error ends the writing of tiles with its reason', async (t) => {
  const draft = join(folder, 'full.part')
  const archive = await beginArchive(draft)
  t.after(() => archive.close())
  const handle = await open(draft, 'a')
  const { prototype } = handle.constructor as { prototype: typeof handle }
  await handle.close()
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  t.mock.method(prototype, 'appendFile', async () => Promise.reject(full))
  await assert.rejects(archive.add({ z: 0, x: 0, y: 0 }, Buffer.from('one')), /ENOSPC/)
})

/** What STAC 1.1 and DCAT-US 1.1 require, read in their texts; federal fields apart. */
const text = { type: 'string', minLength: 1 }
const date = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' }
const some = (items: object, minItems = 1) => ({ type: 'array', items, minItems })
const withAll = (properties: Record<string, object>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})
const link = withAll({ href: text, rel: text })
const box = { ...some({ type: 'number' }, 4), maxItems: 4 }
const REQUIRED = {
  'catalog.json': withAll({
    ...{ type: { const: 'Collection' }, stac_version: { const: '1.1.0' }, id: text },
    ...{
      description: text,
      license: text,
      links: some(link),
    },
    extent: withAll({
      spatial: withAll({ bbox: some(box) }),
      temporal: withAll({ interval: some(some({ type: ['string', 'null'] }, 2)) }),
    }),
  }),
  'item.json': withAll({
    ...{ type: { const: 'Feature' }, stac_version: { const: '1.1.0' }, id: text, collection: text },
    geometry: withAll({ type: { const: 'Polygon' }, coordinates: some(some(some({}, 2), 4)) }),
    ...{ bbox: box, links: some(link), properties: withAll({ datetime: date }) },
    assets: { type: 'object', minProperties: 1, additionalProperties: withAll({ href: text }) },
  }),
  'data.json': withAll({
    conformsTo: { const: 'https://project-open-data.cio.gov/v1.1/schema' },
    dataset: some(
      withAll({
        ...{ title: text, description: text, keyword: some(text), modified: date },
        ...{ identifier: text, accessLevel: { enum: ['public'] } },
        publisher: withAll({ name: text }),
        contactPoint: withAll({
          ...{ '@type': { const: 'vcard:Contact' }, fn: text },
          hasEmail: { type: 'string', pattern: '^mailto:[\\w.+-]+@[\\w.-]+\\.\\w+$' },
        }),
        distribution: some(
          withAll({
            '@type': { const: 'dcat:Distribution' },
            mediaType: { type: 'string', pattern: '^[a-z]+/[\\w.+-]+$' },
            downloadURL: { type: 'string', pattern: '^https://' },
          }),
        ),
      }),
    ),
  }),
}

test('catalogues have what STAC and DCAT-US require', () => {
  const ajv = new Ajv({ allErrors: true, strict: false })
  for (const [name, schema] of Object.entries(REQUIRED)) {
    const document = JSON.parse(read('named/a.1', name).toString())
    assert.ok(ajv.validate(schema, document), `${name}: ${ajv.errorsText()}`)
    const [first = ''] = Object.keys(schema.properties)
    assert.ok(!ajv.validate(schema, { ...document, [first]: undefined }), name)
    const assets = Object.keys(document.assets ?? {})
    assert.deepEqual(
      assets.filter((asset) => !existsSync(join(out('named/a.1'), asset))),
      [],
    )
  }
})

test('a release verifies by its key, and not by another', async () => {
  await verify('first')
  await verify('first', '--key', publicKey)
  const other = Buffer.alloc(32, 7).toString('base64')
  await assert.rejects(verify('first', '--key', other), /not that of the given key/)
})

test('a changed, missing or added byte is found, wherever it is', async () => {
  const copy = out('copy')
  cpSync(out('first'), copy, { recursive: true })
  for (const name of readdirSync(copy)) {
    const [path, bytes] = [join(copy, name), read('first', name)]
    const step = name.startsWith('manifest') ? 1 : Math.ceil(bytes.length / 25)
    for (let at = 0; at < bytes.length; at += step) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] as number) ^ (1 << (at % 8))
      writeFileSync(path, changed)
      await assert.rejects(verify('copy'), /changed|not that of a release/, `${name} ${at}`)
    }
    writeFileSync(path, bytes.subarray(0, -1))
    await assert.rejects(verify('copy'), /changed|not that of a release/, name)
    writeFileSync(path, bytes)
    appendFileSync(path, '\n')
    await assert.rejects(verify('copy'), /changed|not that of a release/, name)
    rmSync(path)
    await assert.rejects(verify('copy'), /missing/, name)
    writeFileSync(path, bytes)
  }
  await verify('copy')
  writeFileSync(join(copy, 'more.txt'), 'x')
  await assert.rejects(verify('copy'), /not in the manifest: more.txt/)
})

test('an archive has the tiles of a far part of a polygon, and of points alone', async () => {
  const ring = (west: number) => [
    [
      [west, 41],
      [west + 0.001, 41],
      [west + 0.001, 41.001],
      [west, 41],
    ],
  ]
  const geometry = { type: 'MultiPolygon', coordinates: [ring(-93.6), ring(-93.3)] }
  const place = { state: 'IA', county: 'Warren' }
  const rows = [
    { ...place, parcelId: 'A', geometry: JSON.stringify(geometry) },
    { ...place, parcelId: 'B', latitude: 41.2, longitude: -93.5 },
  ]
  await service.importRoll(makeRoll(rows), { geometry: true, force: true })
  await run('release', '--state', 'IA', '--out', out('far'))
  const bytes = read('far', 'parcels-ia.pmtiles')
  const archive = new PMTiles({
    getKey: () => 'far',
    getBytes: async (at, length) => ({ data: new Uint8Array(bytes).buffer.slice(at, at + length) }),
  })
  const { minLon, maxLon, maxLat } = await archive.getHeader()
  assert.ok(minLon < -93.6 && maxLon > -93.3 && maxLat > 41.2, `${minLon} to ${maxLon}`)
  const reach = [-93.6, 41, -93.3 + 0.001, 41.2]
  const { extent } = JSON.parse(String(read('far', 'catalog.json')))
  assert.deepEqual(extent.spatial.bbox, [reach])
  assert.deepEqual(JSON.parse(String(read('far', 'item.json'))).bbox, reach)
  assert.equal(JSON.parse(String(read('far', 'data.json'))).dataset[0].spatial, reach.join(','))
  const headers = { authorization: await service.keyFor() }
  const lengths: number[] = []
  for (const point of [
    [-93.5995, 41.0002],
    [-93.2995, 41.0002],
    [-93.5, 41.2],
  ] as const) {
    for (let z = 14; z <= 16; z += 1) {
      const { x, y } = tileAt(point, z)
      const found = await archive.getZxy(z, x, y)
      const answer = await fetch(`${service.address}/public/tiles/${z}/${x}/${y}`, { headers })
      const served = Buffer.from(await answer.arrayBuffer())
      lengths.push(served.length)
      assert.deepEqual(
        Buffer.from(found?.data ?? new ArrayBuffer(0)),
        served,
        `${point}, zoom ${z}`,
      )
    }
  }
  // Labels begin at zoom 16.
  assert.deepEqual(
    lengths.map((one) => one > 0),
    [true, true, true, true, true, true, false, false, true],
  )
})

test('a reader of PMTiles finds the tiles of the service in the archive', async () => {
  const bytes = read('first', 'parcels-wi.pmtiles')
  const archive = new PMTiles({
    getKey: () => 'first',
    getBytes: async (at, length) => ({ data: new Uint8Array(bytes).buffer.slice(at, at + length) }),
  })
  const { minZoom, maxZoom, tileType, numAddressedTiles } = await archive.getHeader()
  assert.deepEqual([minZoom, maxZoom, tileType], [0, 16, 1])
  const { vector_layers } = (await archive.getMetadata()) as { vector_layers: { id: string }[] }
  assert.deepEqual(
    vector_layers.map(({ id }) => id),
    ['density', 'labels', 'parcels'],
  )
  const key = await service.keyFor()
  const [x, sine] = [(-89.398 + 180) / 360, Math.sin((43.072 * Math.PI) / 180)]
  const y = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
  for (let z = 0; z <= 16; z += 1) {
    const [column, row] = [x, y].map((one) => Math.floor(one * 2 ** z)) as [number, number]
    const found = await archive.getZxy(z, column, row)
    const answer = await fetch(`${service.address}/public/tiles/${z}/${column}/${row}`, {
      headers: { authorization: key },
    })
    // Lower zooms of the service count the parcels of every state.
    if (z >= 14) {
      assert.ok(found, `zoom ${z}`)
      assert.deepEqual(Buffer.from(found.data), Buffer.from(await answer.arrayBuffer()), `${z}`)
    } else assert.ok(found, `zoom ${z}`)
  }
  assert.ok(numAddressedTiles >= 17)
})

test('tiles are numbered as the format does', () => {
  // Source: the examples of the specification.
  const ids = [
    ...[
      { z: 0, x: 0, y: 0 },
      { z: 1, x: 0, y: 0 },
      { z: 1, x: 0, y: 1 },
      { z: 1, x: 1, y: 1 },
    ],
    ...[
      { z: 1, x: 1, y: 0 },
      { z: 2, x: 0, y: 0 },
      { z: 12, x: 3423, y: 1763 },
    ],
  ].map(tileIdOf)
  assert.deepEqual(ids, [0, 1, 2, 3, 4, 5, 19_078_479])
})

test('releases are served with ranges and ETags, and nothing else is', async () => {
  const ask = (path: string, headers = {}) => fetch(`${service.address}${path}`, { headers })
  const whole = await ask('/releases/first/parcels-wi.pmtiles')
  const bytes = Buffer.from(await whole.arrayBuffer())
  assert.deepEqual(bytes, read('first', 'parcels-wi.pmtiles'))
  assert.match(whole.headers.get('cache-control') ?? '', /max-age/)
  const etag = whole.headers.get('etag') ?? ''
  const part = await ask('/releases/first/parcels-wi.pmtiles', { range: 'bytes=0-6' })
  assert.deepEqual([part.status, await part.text()], [206, 'PMTiles'])
  assert.equal(part.headers.get('content-range'), `bytes 0-6/${bytes.length}`)
  const end = await ask('/releases/first/parcels-wi.pmtiles', { range: 'bytes=-5' })
  assert.deepEqual(Buffer.from(await end.arrayBuffer()), bytes.subarray(-5))
  const far = await ask('/releases/first/parcels-wi.pmtiles', { range: 'bytes=999999999-' })
  assert.equal(far.status, 416)
  const same = await ask('/releases/first/parcels-wi.pmtiles', { 'if-none-match': etag })
  assert.equal(same.status, 304)
  writeFileSync(join(folder, '.hidden'), 'x')
  const paths = ['', 'first', 'nothing', '.hidden', 'first/../.hidden', '%2e%2e/etc/passwd']
  for (const path of [...paths, '..%2f..%2fetc%2fpasswd', 'first//manifest.json']) {
    assert.equal((await ask(`/releases/${path}`)).status, 404, path)
  }
  await run('release verify', `${service.address}/releases/first/`, '--key', publicKey)
})

test('changes name what was added, changed and removed, with old and new values', async () => {
  const kept = times(60, lot).filter((_, at) => at !== 4)
  Object.assign(kept[0] as object, { totalMarketValue: 777, ownerName: 'OTHER' })
  await service.importRoll(makeRoll([...kept, { parcelId: 'NEW-1', address: '9 NEW ST' }]), {
    geometry: true,
  })
  await run('release', '--state', 'WI', '--out', out('second'), '--since', out('first'))
  await verify('second')
  const file = await asyncBufferFromFile(join(out('second'), 'changes-wi.parquet'))
  const rows = (await parquetReadObjects({ file, compressors })) as Record<string, unknown>[]
  const shown = rows.map(({ propertyId, change }) => `${change} ${propertyId}`)
  assert.deepEqual(shown, ['changed 55025-LOT/001', 'added 55025-NEW-1', 'removed 55025-LOT/005'])
  const { fields, old, new: now } = rows[0] as Record<string, Record<string, unknown>>
  assert.ok((fields as unknown as string[]).includes('totalMarketValue'))
  assert.deepEqual([old?.totalMarketValue, now?.totalMarketValue], [1000, 777])
  // A release before it of the same name, and with other bytes, breaks the chain.
  const other = out('elsewhere')
  mkdirSync(other)
  cpSync(out('second'), join(other, 'second'), { recursive: true })
  mkdirSync(join(other, 'first'))
  copyFileSync(join(out('second'), 'manifest.json'), join(other, 'first', 'manifest.json'))
  await assert.rejects(run('release verify', join(other, 'second')), /the chain is broken/)
})
