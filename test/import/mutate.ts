/** Damages invented files, a file of each format, and reads them: a sentence or rows, no defect. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gzipSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { CommandError } from '../../src/base/errors.ts'
import { readSource } from '../../src/import/source.ts'
import { makeDbf, makeShp, makeZip } from './make-files.ts'

export type Sample = { name: string; bytes: Buffer }

const ROWS = Array.from({ length: 12 }, (_, at) => ({
  PIN: `P-${at}`,
  OWNER: at % 2 === 0 ? 'ROE, JANE & JOHN' : 'ACME "LAND" LLC',
  VALUE: String(1000 * at),
}))
const CSV = ['PIN,OWNER,VALUE', ...ROWS.map((row) => Object.values(row).map(quote).join(','))].join(
  '\n',
)
const RING = [[-96, 40, -96, 41, -95, 41, -96, 40]]

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

const square = (at: number): [number, number][] => [
  [-96 + at, 40],
  [-96 + at, 41],
  [-95 + at, 41],
  [-96 + at, 40],
]

/** A file of each format, with the same rows. */
export function makeSamples(): Sample[] {
  const features = ROWS.map((properties, at) => ({
    type: 'Feature',
    properties,
    geometry: { type: 'Polygon', coordinates: [square(at)] },
  }))
  const geojson = JSON.stringify({ type: 'FeatureCollection', features })
  const dbf = makeDbf(
    [
      ['PIN', 10],
      ['OWNER', 20],
      ['VALUE', 8],
    ],
    ROWS.map((row) => Object.values(row)),
  )
  const shp = makeShp(ROWS.map((_, at) => [square(at)]))
  const column = (name: keyof (typeof ROWS)[number]) => ROWS.map((row) => row[name])
  const parquet = parquetWriteBuffer({
    columnData: (['PIN', 'OWNER', 'VALUE'] as const).map((name) => ({
      ...{ name, data: column(name), type: 'STRING' as const },
    })),
  })
  return [
    { name: 'roll.csv', bytes: Buffer.from(CSV) },
    { name: 'roll.tsv', bytes: Buffer.from(CSV.replaceAll(',', '\t')) },
    { name: 'roll.csv.gz', bytes: gzipSync(CSV) },
    { name: 'roll.zip', bytes: makeZip({ 'a/roll.csv': CSV, 'b.txt': 'b' }) },
    { name: 'roll.ndjson', bytes: Buffer.from(ROWS.map((row) => JSON.stringify(row)).join('\n')) },
    { name: 'roll.geojson', bytes: Buffer.from(geojson) },
    { name: 'roll.dbf', bytes: dbf },
    { name: 'shape.zip', bytes: makeZip({ 'lots.shp': shp, 'lots.dbf': dbf }) },
    { name: 'roll.xlsx', bytes: makeWorkbook() },
    { name: 'roll.parquet', bytes: Buffer.from(parquet) },
    { name: 'roll.gpkg', bytes: makeGeoPackage() },
    {
      name: 'gdb.zip',
      bytes: makeZip({ 'lots.gdb/a00000001.gdbtable': Buffer.from(RING[0] ?? []) }),
    },
  ]
}

function makeWorkbook(): Buffer {
  const cell = (text: string) =>
    `<c t="inlineStr"><is><t>${text.replace(/&/g, '&amp;')}</t></is></c>`
  const rows = [['PIN', 'OWNER', 'VALUE'], ...ROWS.map((row) => Object.values(row))]
  const sheet = rows.map((row) => `<row>${row.map(cell).join('')}</row>`).join('')
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  return makeZip({
    'xl/workbook.xml':
      `<workbook xmlns:r="${office}"><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets>` +
      '</workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
  })
}

function makeGeoPackage(): Buffer {
  const db = new DatabaseSync(':memory:')
  db.exec(`CREATE TABLE gpkg_contents (table_name TEXT, data_type TEXT);
    INSERT INTO gpkg_contents VALUES ('lots', 'attributes');
    CREATE TABLE lots (PIN TEXT, OWNER TEXT, VALUE INTEGER)`)
  const insert = db.prepare('INSERT INTO lots VALUES (?, ?, ?)')
  for (const { PIN, OWNER, VALUE } of ROWS) insert.run(PIN, OWNER, Number(VALUE))
  const bytes = Buffer.from(db.serialize())
  db.close()
  return bytes
}

/** Numbers below `most`, the same ones for the same seed (Mulberry32). */
export function makeRandom(seed: number): (most: number) => number {
  let state = seed
  return (most) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most
  }
}

/** Changes some bytes, cuts the end off, repeats or removes a piece, or writes a large number. */
export function mutate(bytes: Buffer, random: (most: number) => number): Buffer {
  const changed = Buffer.from(bytes)
  const at = () => random(Math.max(1, changed.length))
  switch (random(6)) {
    case 0:
      return changed.subarray(0, at())
    case 1: {
      const [from, length] = [at(), random(64)]
      return Buffer.concat([changed.subarray(0, from), changed.subarray(from + length)])
    }
    case 2: {
      const [from, length] = [at(), random(256)]
      const piece = changed.subarray(from, from + length)
      return Buffer.concat([changed.subarray(0, from), piece, changed.subarray(from)])
    }
    case 3: {
      const from = at()
      const end = Math.min(changed.length, from + 8)
      changed.fill(random(2) === 0 ? 0xff : 0, from, end)
      if (end > from) changed[end - 1] = 0x7f
      return changed
    }
    default:
      for (let count = 1 + random(4); count > 0; count -= 1) changed[at()] = random(256)
      return changed
  }
}

/** Reads a file. Returns what a person sees: a number of rows or a sentence. Throws defects. */
export async function readDamaged(path: string): Promise<number | string> {
  const options = { geometry: true, epsg: 4326 }
  let rows = 0
  try {
    for await (const batch of readSource([path], options)) {
      rows += batch.rows.length
      if (rows > 1_000_000) throw new Error(`${path} has rows without an end`)
    }
    return rows
  } catch (error) {
    if (error instanceof CommandError) return error.message
    throw error
  }
}

/** Reads `count` damaged files, the formats in turn. Returns how many of them had a sentence. */
export async function readManyDamaged(
  folder: string,
  count: number,
  seed: number,
): Promise<number> {
  const samples = makeSamples()
  const random = makeRandom(seed)
  let sentences = 0
  for (let at = 0; at < count; at += 1) {
    const { name, bytes } = samples[at % samples.length] as Sample
    const path = join(folder, `${at}-${name}`)
    writeFileSync(path, mutate(bytes, random))
    try {
      if (typeof (await readDamaged(path)) === 'string') sentences += 1
    } catch (error) {
      throw new Error(`file ${at} of seed ${seed}, ${name}`, { cause: error })
    }
  }
  return sentences
}
