/** Changes between two files of many small groups, against a comparison in memory. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import type { ExportColumn } from '../export/columns.ts'
import { beginFile } from '../export/new-file.ts'
import { openParquet } from '../export/parquet.ts'
import { writeChanges } from './changes.ts'

const COLUMNS: readonly ExportColumn[] = [
  { name: 'propertyId', type: 'text' },
  { name: 'value', type: 'integer' },
  { name: 'owner', type: 'text' },
  { name: 'sold', type: 'date' },
  { name: 'sales', type: 'json' },
  { name: 'formerParcelIds', type: 'texts' },
]

type Lot = { id: string; value: number | null; owner: string | null }

const folder = mkdtempSync(join(tmpdir(), 'platbook-changes-'))
after(() => rmSync(folder, { recursive: true }))

const LOTS: readonly Lot[] = Array.from({ length: 24 }, (_, at) => ({
  ...{ id: `55025-${String(at).padStart(3, '0')}`, owner: at % 5 === 0 ? null : `OWNER ${at % 7}` },
  value: at % 6 === 0 ? null : 1000 + at,
}))

async function write(
  name: string,
  lots: readonly Lot[],
  size: number,
  columns = COLUMNS,
): Promise<string> {
  const path = join(folder, name)
  const file = await beginFile(path, true)
  const writer = openParquet(file, columns)
  for (let at = 0; at < lots.length; at += size) {
    const rows = lots.slice(at, at + size).map(({ id, value, owner }) => {
      const all = [id, value, owner, '20240131', `[{"price":${value}}]`, [id]]
      const values = all.filter((_, column) =>
        columns.some(({ name }) => name === COLUMNS[column]?.name),
      )
      const text = `{"type":"Point","coordinates":[${value ?? 0},1]}`
      const box = { west: value ?? 0, east: value ?? 0, south: 1, north: 1 }
      return {
        values,
        polygon: null,
        shape: { type: 'Point', text, box } as const,
        record: () => ({}),
      }
    })
    await writer.write(rows)
  }
  await writer.end()
  await file.finish()
  return path
}

/** Owner and value of each parcel that differs, and what they were where they differ. */
function expected(old: readonly Lot[], now: readonly Lot[]): string[] {
  const before = new Map(old.map((lot) => [lot.id, lot]))
  const there = new Map(now.map((lot) => [lot.id, lot]))
  return [...new Set([...before.keys(), ...there.keys()])].sort().flatMap((id) => {
    const [one, other] = [before.get(id), there.get(id)]
    if (one === undefined) return [`added ${id} ${other?.value} ${other?.owner}`]
    if (other === undefined) return [`removed ${id}`]
    const value = one.value === other.value ? undefined : one.value
    const owner = one.owner === other.owner ? undefined : one.owner
    if (value === undefined && owner === undefined) return []
    return [`changed ${id} ${other.value} ${other.owner}, was ${value} ${owner}`]
  })
}

async function changesOf(
  before: string,
  there: string,
  inThreads = false,
): Promise<Record<string, unknown>[]> {
  const path = join(folder, 'changes')
  const out = await beginFile(path, true)
  try {
    await writeChanges(out, before, there, inThreads)
    await out.finish()
  } finally {
    await out.discard()
  }
  const file = await asyncBufferFromFile(path)
  return (await parquetReadObjects({ file, compressors })) as Record<string, unknown>[]
}

async function compare(
  old: readonly Lot[],
  now: readonly Lot[],
  sizes = [4, 4],
): Promise<string[]> {
  const [one, other] = sizes as [number, number]
  const [before, there] = [await write('old', old, one), await write('now', now, other)]
  const shown = (await changesOf(before, there)).map(
    ({ change, propertyId, new: next, old: last }) => {
      const { value = null, owner = null, geometry } = (next ?? {}) as Record<string, unknown>
      if (change === 'removed') return `removed ${propertyId}`
      if (change === 'added') assert.equal(last, null)
      assert.deepEqual(geometry, { type: 'Point', coordinates: [value ?? 0, 1] })
      const was = last as Record<string, unknown> | null
      const before = change === 'changed' ? `, was ${was?.value} ${was?.owner}` : ''
      return `${change} ${propertyId} ${value} ${owner}${before}`
    },
  )
  // In the file they have the order of the releases.
  const idOf = (text: string) => text.split(' ')[1] ?? ''
  return shown.sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
}

const edit = (at: number, part: Partial<Lot>) =>
  LOTS.map((lot, own) => (own === at ? { ...lot, ...part } : lot))

const CASES: Record<string, readonly Lot[]> = {
  nothing: LOTS,
  'a value': edit(9, { value: 7 }),
  'a value that becomes unknown': edit(9, { value: null }),
  'an owner that becomes known': edit(10, { owner: 'OWNER 1' }),
  'two owners exchanged within a group': edit(9, { owner: 'OWNER 4' }).map((lot, at) =>
    at === 11 ? { ...lot, owner: 'OWNER 2' } : lot,
  ),
  'a parcel removed in the first group': LOTS.slice(1),
  'a parcel added in the middle': LOTS.toSpliced(13, 0, {
    id: '55025-012A',
    value: 5,
    owner: 'NEW',
  }),
  'a group added at the end': [...LOTS, { id: '55025-900', value: 5, owner: 'NEW' }],
  'the last group removed': LOTS.slice(0, 20),
  'parcels in another order': LOTS.toReversed(),
  'all at once': edit(2, { value: 1 })
    .slice(1)
    .toSpliced(7, 2)
    .concat({ id: '55025-901', value: null, owner: null }),
}

for (const [name, now] of Object.entries(CASES)) {
  test(`changes are found: ${name}`, async () => {
    assert.deepEqual(await compare(LOTS, now), expected(LOTS, now))
    assert.deepEqual(await compare(now, LOTS), expected(now, LOTS))
  })
}

test('changes are found in groups of another size', async () => {
  const now = edit(9, { value: 7 })
  assert.deepEqual(await compare(LOTS, now, [4, 5]), expected(LOTS, now))
})

/** Few texts and many, so that a column has a dictionary in one group and none in another. */
const TYPES: readonly ExportColumn[] = [
  { name: 'propertyId', type: 'text' },
  { name: 'few', type: 'text' },
  { name: 'many', type: 'text' },
  { name: 'flag', type: 'boolean' },
  { name: 'area', type: 'number' },
  { name: 'count', type: 'integer' },
  { name: 'sold', type: 'date' },
  { name: 'updated', type: 'moment' },
  { name: 'sales', type: 'json' },
  { name: 'names', type: 'texts' },
]

function draw(random: () => number, id: string): unknown[] {
  const some = (value: unknown) => (random() < 0.3 ? null : value)
  const number = (most: number) => Math.floor(random() * most)
  const day = `2024-0${1 + number(9)}-1${number(10)}`
  return [
    ...[
      id,
      some(`Ä${number(3)}`),
      some(`${'x'.repeat(id.endsWith('9') ? 5e4 : 9)}${number(1e6)}`),
      some(number(2) === 1),
    ],
    ...[some(number(1e6) / 7), some(-number(2 ** 40)), some(day), some(`${day}T01:02:03.004Z`)],
    ...[some([{ price: number(9) }]), Array.from({ length: number(4) }, () => `N${number(3)}`)],
  ]
}

/** A small generator, so that a failure can be repeated. */
function openRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

test('changes of every type of column are found, whatever its pages are', async () => {
  const random = openRandom(7)
  const old = Array.from({ length: 600 }, (_, at) => draw(random, `55025-${at}`))
  old[0] = (old[0] as unknown[]).with(-1, ['A', 'B'])
  const now = old.flatMap((row, at) => {
    if (at === 0) return [row.with(-1, ['B', 'A'])]
    if (random() < 0.02) return []
    if (random() < 0.5) return [row]
    // One value of it, drawn anew, and often the same.
    const column = 1 + Math.floor(random() * (TYPES.length - 1))
    const changed = row.with(column, draw(random, '')[column])
    return random() < 0.02 ? [changed, draw(random, `55025-new-${at}`)] : [changed]
  })
  const paths = []
  for (const [name, rows, size] of [
    ['typed old', old, 600],
    ['typed now', now, 12],
  ] as const) {
    const path = join(folder, name)
    const file = await beginFile(path, true)
    const writer = openParquet(file, TYPES)
    for (let at = 0; at < rows.length; at += size) {
      const part = rows.slice(at, at + size)
      const plain = { polygon: null, shape: undefined, record: () => ({}) }
      await writer.write(part.map((values) => ({ values, ...plain })))
    }
    await writer.end()
    await file.finish()
    paths.push(path)
  }
  const show = (value: unknown) => {
    const text =
      typeof value === 'string' && /^2024-..-..$/.test(value) ? `${value}T00:00:00.000Z` : value
    return JSON.stringify(text ?? null)
  }
  const before = new Map(old.map((row) => [row[0], row]))
  const there = new Map(now.map((row) => [row[0], row]))
  const wanted = [
    ...now.flatMap((row) => {
      const last = before.get(row[0])
      const names = TYPES.flatMap(({ name }, at) =>
        show(last?.[at]) === show(row[at]) ? [] : [name],
      )
      if (names.length === 0) return []
      const values = TYPES.flatMap(({ name }, at) =>
        row[at] === null ? [] : [`${name}:${show(row[at])}`],
      )
      return [`${last ? `changed ${names.sort()}` : 'added '} ${values}`]
    }),
    ...old.flatMap((row) => (there.has(row[0]) ? [] : [`removed  ${row[0]}`])),
  ]
  const [one = '', other = ''] = paths
  const changes = await changesOf(one, other)
  assert.deepEqual(await changesOf(one, other, true), changes)
  const found = changes.map(({ change, fields, new: next, propertyId }) => {
    const values = Object.entries(next ?? {}).map(([name, value]) => `${name}:${show(value)}`)
    return `${change} ${fields} ${change === 'removed' ? propertyId : values}`
  })
  assert.deepEqual(found.sort(), wanted.sort())
  assert.ok(
    ['added', 'changed', 'removed'].every((kind) => found.some((line) => line.startsWith(kind))),
  )
})

test('a damaged page ends the comparison, also in a thread', async () => {
  const [whole, damaged] = [await write('whole', LOTS, 4), join(folder, 'damaged')]
  const bytes = readFileSync(whole)
  // The pages are before the names of the columns.
  bytes.fill(0xff, bytes.length >> 3, bytes.length >> 2)
  writeFileSync(damaged, bytes)
  for (const inThreads of [false, true]) {
    await assert.rejects(changesOf(whole, damaged, inThreads), Error)
    await assert.rejects(changesOf(damaged, whole, inThreads), Error)
    await assert.rejects(changesOf(whole, join(folder, 'none'), inThreads), /ENOENT/)
  }
})

test('a value that is written as another type is no change', async () => {
  const numbers = COLUMNS.map((column) =>
    column.name === 'value' ? ({ name: 'value', type: 'number' } as const) : column,
  )
  assert.deepEqual(
    await changesOf(await write('a', LOTS, 9), await write('b', LOTS, 9, numbers)),
    [],
  )
})

test('a column that one release lacks is unknown there, and its values are changes', async () => {
  const some = LOTS.slice(0, 8)
  // An exporter of before had no owners. Groups of the same rows, and of others.
  const columns = COLUMNS.filter(({ name }) => name !== 'owner')
  for (const size of [4, 5]) {
    const lacking = await write('lacking', some, 4, columns)
    const whole = await write('whole', some, size)
    const added = await changesOf(lacking, whole)
    const owned = some.filter(({ owner }) => owner !== null)
    assert.deepEqual(
      added.map(({ propertyId, fields, old }) => [propertyId, fields, old]),
      owned.map(({ id }) => [id, ['owner'], { owner: null }]),
    )
    const gone = await changesOf(whole, lacking)
    assert.deepEqual(
      gone.map(({ propertyId, fields, old }) => [propertyId, fields, old]),
      owned.map(({ id, owner }) => [id, ['owner'], { owner }]),
    )
  }
})
