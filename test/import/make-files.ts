/**
 * Makes files of the formats that rolls come in, byte by byte, so that no reader is tested with its
 * own writer.
 */
import { crc32, deflateRawSync } from 'node:zlib'

/** A zip archive of deflated entries. Source: PKWARE APPNOTE 6.3. */
export function makeZip(entries: Record<string, Buffer | string>): Buffer {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(entries)) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(bytes.length, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, Buffer.from(name), packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    central.push(
      Buffer.concat([
        Buffer.from('PK\u0001\u0002'),
        Buffer.from([20, 0]),
        common,
        rest,
        Buffer.from(name),
      ]),
    )
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006')
  end.writeUInt16LE(central.length, 8)
  end.writeUInt16LE(central.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}

/** A dBASE III table of text columns. Values may be bytes, for encodings. */
export function makeDbf(columns: [string, number][], rows: (string | Buffer)[][]): Buffer {
  const length = 1 + columns.reduce((sum, [, width]) => sum + width, 0)
  const head = Buffer.alloc(32)
  head[0] = 3
  head.writeUInt32LE(rows.length, 4)
  head.writeUInt16LE(33 + 32 * columns.length, 8)
  head.writeUInt16LE(length, 10)
  const fields = columns.map(([name, width]) => {
    const field = Buffer.alloc(32)
    field.write(name, 0, 10, 'latin1')
    field.write('C', 11)
    field[16] = width
    return field
  })
  const records = rows.map((row) => {
    const record = Buffer.alloc(length, 0x20)
    let at = 1
    row.forEach((value, index) => {
      Buffer.from(value).copy(record, at)
      at += columns[index]?.[1] ?? 0
    })
    return record
  })
  return Buffer.concat([head, ...fields, Buffer.from([13]), ...records, Buffer.from([26])])
}

const [LINES, POLYGONS] = [3, 5]

/** A shapefile's .shp part: polygons by their rings, or lines by their parts; `null` for none. */
export function makeShp(shapes: ([number, number][][] | null)[], kind = POLYGONS): Buffer {
  const records = shapes.map((parts, index) => {
    const body = parts === null ? Buffer.alloc(4) : partsOf(parts, kind)
    const head = Buffer.alloc(8)
    head.writeInt32BE(index + 1, 0)
    head.writeInt32BE(body.length / 2, 4)
    return Buffer.concat([head, body])
  })
  const head = Buffer.alloc(100)
  head.writeInt32BE(9994, 0)
  head.writeInt32LE(1000, 28)
  head.writeInt32LE(kind, 32)
  return Buffer.concat([head, ...records])
}

/** As `makeShp`, of lines. */
export const makeLineShp = (shapes: [number, number][][][]) => makeShp(shapes, LINES)

function partsOf(rings: [number, number][][], kind: number): Buffer {
  const points = rings.flat()
  const body = Buffer.alloc(44 + 4 * rings.length + 16 * points.length)
  body.writeInt32LE(kind, 0)
  body.writeInt32LE(rings.length, 36)
  body.writeInt32LE(points.length, 40)
  let at = 0
  rings.forEach((ring, index) => {
    body.writeInt32LE(at, 44 + 4 * index)
    at += ring.length
  })
  points.forEach(([x, y], index) => {
    body.writeDoubleLE(x, 44 + 4 * rings.length + 16 * index)
    body.writeDoubleLE(y, 52 + 4 * rings.length + 16 * index)
  })
  return body
}
