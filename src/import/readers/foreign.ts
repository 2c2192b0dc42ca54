/**
 * Recognizes files that are not rolls, or are in formats that import does not read, and says what
 * to do.
 */
import { extname } from 'node:path'
import { CommandError } from '../../base/errors.ts'

type Foreign = {
  /** What the file is, written after "is": `a PDF document`. */
  is: string
  /** What the person should do, as a sentence. */
  advice: string
  /**
   * Tests the first bytes. `text` is the same bytes as Latin-1, without leading blanks and
   * byte-order mark.
   */
  begins?: (bytes: Buffer, text: string) => boolean
  /** File extensions, used when the first bytes are text. */
  endings?: string[]
}

const CONVERT = 'see docs/file-formats.md for conversion'
const UNPACK = 'Unpack it, and give import the files inside.'

const starts =
  (...marks: string[]) =>
  (_: Buffer, text: string) =>
    marks.some((mark) => text.startsWith(mark))

const holds = (at: number, mark: string) => (bytes: Buffer) =>
  bytes.subarray(at, at + mark.length).toString('latin1') === mark

/** Signatures: https://www.garykessler.net/library/file_sigs.html and the formats' own pages. */
const FOREIGN: Foreign[] = [
  {
    is: 'a PDF document',
    advice: 'Ask the publisher for the table behind it, as CSV.',
    begins: starts('%PDF'),
    endings: ['.pdf'],
  },
  {
    is: 'a text document',
    advice: 'Ask the publisher for the table behind it, as CSV.',
    begins: starts('{\\rtf', '%!PS'),
    endings: ['.rtf', '.doc'],
  },
  {
    is: 'a web page',
    advice: 'The download is an HTML page, not the file: open the address in a browser.',
    begins: (_, text) =>
      /^(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype html|html)\b/is.test(text),
  },
  {
    is: 'KML',
    advice: `Take the publisher's shapefile or GeoJSON, which keep the columns; ${CONVERT}.`,
    begins: (_, text) => /^(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<kml\b/is.test(text),
    endings: ['.kml'],
  },
  {
    is: 'XML',
    advice: `Take the publisher's CSV, shapefile or GeoJSON; ${CONVERT}.`,
    begins: (_, text) => /^<(?:\?xml\b|[a-z][\w.-]*:[a-z])/i.test(text),
    endings: ['.xml', '.gml'],
  },
  {
    is: 'a script of SQL statements',
    advice: `Load it into a database and export the table as CSV; ${CONVERT}.`,
    begins: (_, text) => SQL_DUMP.test(text) || SQL.test(text.replace(SQL_COMMENTS, '')),
    endings: ['.sql'],
  },
  {
    is: 'FlatGeobuf',
    advice: `Convert it to GeoJSON; ${CONVERT}.`,
    begins: (bytes) => bytes.length > 7 && holds(0, 'fgb')(bytes) && holds(4, 'fgb')(bytes),
    endings: ['.fgb'],
  },
  {
    is: 'a Microsoft Access database',
    advice: `Export its table of parcels as CSV; ${CONVERT}.`,
    begins: (bytes) => holds(4, 'Standard Jet')(bytes) || holds(4, 'Standard ACE')(bytes),
    endings: ['.mdb', '.accdb'],
  },
  {
    is: 'a workbook of old Excel (.xls) or another old Office file',
    advice: `Save its sheet as CSV; ${CONVERT}.`,
    begins: starts('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'),
  },
  {
    is: 'an OpenDocument file',
    advice: `Save its sheet as .xlsx or CSV; ${CONVERT}.`,
    begins: holds(30, 'mimetypeapplication/vnd.oasis'),
    endings: ['.ods'],
  },
  {
    is: 'a tar archive',
    advice: UNPACK,
    begins: holds(257, 'ustar'),
    endings: ['.tar', '.tgz'],
  },
  {
    is: 'an archive that import does not unpack',
    advice: UNPACK,
    begins: starts('7z\xbc\xaf\x27\x1c', 'Rar!\x1a', 'BZh', '\xfd7zXZ', '\x28\xb5\x2f\xfd'),
    endings: ['.7z', '.rar', '.bz2', '.xz', '.zst'],
  },
  {
    is: 'a program',
    advice: 'A self-extracting archive has to be run on the system that it was made for.',
    begins: (bytes, text) =>
      text.startsWith('\x7fELF') ||
      /^(?:\xcf\xfa\xed\xfe|\xca\xfe\xba\xbe)/.test(text) ||
      (text.startsWith('MZ') && bytes.subarray(0, 64).includes(0)),
    endings: ['.exe', '.msi', '.dll'],
  },
  {
    is: 'a picture',
    advice: 'Ask the publisher for the table behind it, as CSV.',
    begins: starts('\x89PNG', '\xff\xd8\xff', 'GIF8', 'II*\0', 'MM\0*'),
    endings: ['.png', '.jpg', '.jpeg', '.gif', '.tif', '.tiff'],
  },
]

/** First lines of SQL dumps. */
const SQL_DUMP = /^(?:PGDMP|\/\*!\d|(?:--\s*\n)?-- (?:MySQL|MariaDB|PostgreSQL|SQLite|Host:))/i
const SQL_COMMENTS = /^(?:--[^\n]*\n|\/\*.*?\*\/|\s+)+/s
const SQL = new RegExp(
  String.raw`^(?:(?:CREATE|DROP|ALTER) (?:TABLE|DATABASE|SCHEMA)\b|INSERT INTO\b` +
    String.raw`|BEGIN TRANSACTION;|PRAGMA |SET \w+ ?(?:=|TO) |USE [\w\x60[\]]+;` +
    String.raw`|COPY \S+ \([^)]*\) FROM )`,
  'i',
)

/** An ArcGIS error that came with status 200 instead of rows. */
const ARCGIS_ERROR =
  /^\{\s*"error"\s*:\s*\{[^{}]*?"code"\s*:\s*(\d+)[^{}]*?"message"\s*:\s*"([^"]*)/s
/** The same error as older servers write it. */
const OLDER_ERROR = new RegExp(
  String.raw`^\{\s*"status"\s*:\s*"error"\s*,\s*"messages"\s*:\s*\[\s*"([^"]*)"[^\]]*\](?:\s*,` +
    String.raw`\s*"code"\s*:\s*(\d+))?`,
)

/**
 * Throws `CommandError` when the first bytes or the name belong to a file that is not a roll, or to
 * a format that import does not read. `first`: at least 512 bytes, or the whole file.
 */
export function refuseForeign(shown: string, name: string, first: Buffer): void {
  const text = first
    .subarray(0, 2048)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .replace(/^[\t\n\r ]+/, '')
  const reason = readArcgisError(text)
  if (reason !== undefined) {
    throw new CommandError(
      `${shown} is an error answer of an ArcGIS server (${reason}) and holds no rows. ` +
        'Download it again.',
    )
  }
  const ending = extname(name).toLowerCase()
  const found = FOREIGN.find(
    ({ begins, endings }) => begins?.(first, text) === true || endings?.includes(ending) === true,
  )
  if (found === undefined) return
  throw new CommandError(`${shown} is ${found.is}, which import does not read. ${found.advice}`)
}

function readArcgisError(text: string): string | undefined {
  const [, code, message] = ARCGIS_ERROR.exec(text) ?? []
  if (code !== undefined) return `${code} ${message}`
  const [, said, number] = OLDER_ERROR.exec(text) ?? []
  return said === undefined ? undefined : [number, said].filter(Boolean).join(' ')
}

/** Explains how to convert a geodatabase to a file that import reads. `name`: its folder. */
export function describeGeodatabase(name: string): string {
  return (
    `Convert it by GDAL: ogr2ogr -f GPKG county.gpkg "${name}", and import ` +
    `county.gpkg; ${CONVERT}.`
  )
}

/** Extensions of files in an archive without a roll. */
const PACKED: [RegExp, string][] = [
  [/\.gdb\/|\.gdbtable$/i, `an Esri file geodatabase. ${describeGeodatabase('county.gdb')}`],
  [/\.(?:mdb|accdb)$/i, `a Microsoft Access database. Export its table as CSV; ${CONVERT}.`],
  [/\.xls$/i, `an Excel workbook of the old form. Save its sheet as CSV; ${CONVERT}.`],
  [/\.(?:kml|kmz)$/i, `KML. Take the publisher's shapefile or GeoJSON; ${CONVERT}.`],
  [/\.sql$/i, `SQL statements. Load them into a database and export the table; ${CONVERT}.`],
  [/^mimetype$/i, `an OpenDocument file. Save its sheet as .xlsx or CSV; ${CONVERT}.`],
  [/\.(?:pdf|html?|docx?|rtf)$/i, 'a document. Ask the publisher for the table behind it, as CSV.'],
  [/\.(?:zip|tar|tgz|gz|7z|rar)$/i, `an archive again. ${UNPACK}`],
]

/**
 * Describes what an archive without a roll holds, for the end of a sentence; `undefined` when
 * unknown.
 */
export function describePacked(names: string[]): string | undefined {
  return PACKED.find(([ending]) => names.some((name) => ending.test(name)))?.[1]
}
