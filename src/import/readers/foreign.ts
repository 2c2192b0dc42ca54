/** Recognizes files that are no rolls, or in formats not read, and says what to do. */
import { extname } from 'node:path'
import { CommandError } from '../../base/errors.ts'
import { LINES, openLists } from '../../base/tables.ts'

const openFiles = openLists('foreign-files.tsv')

const FOREIGN = openFiles('files', LINES).map((line) => {
  const [is = '', endings = '', begins = '', any = '', advice = ''] = line.split('\t')
  return { is, endings: endings.split(' '), begins: new RegExp(begins, `s${any}`), advice }
})

/** What an archive without a roll holds, by a pattern of the names in it. */
const PACKED = openFiles('packed', LINES).map((line) => {
  const [names = '', what = ''] = line.split('\t')
  return { names: new RegExp(names, 'i'), what }
})

/** Statements of SQL come after them. */
const COMMENTS = /^(?:--[^\n]*\n|\/\*.*?\*\/|\s+)+/s

/** An ArcGIS error that came with status 200 instead of rows. */
const ARCGIS_ERROR =
  /^\{\s*"error"\s*:\s*\{[^{}]*?"code"\s*:\s*(\d+)[^{}]*?"message"\s*:\s*"([^"]*)/s
/** The same error as older servers write it. */
const OLDER_ERROR = new RegExp(
  String.raw`^\{\s*"status"\s*:\s*"error"\s*,\s*"messages"\s*:\s*\[\s*"([^"]*)"[^\]]*\](?:\s*,` +
    String.raw`\s*"code"\s*:\s*(\d+))?`,
)

/**
 * Throws `CommandError` when the first bytes or the name belong to a file that is not a roll. So it
 * does for a format that import does not read. `first`: at least 512 bytes, or the whole file.
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
  const forms = [first.toString('latin1', 0, 2048), text, text.replace(COMMENTS, '')]
  const found = FOREIGN.find(
    ({ begins, endings }) =>
      forms.some((form) => begins.test(form)) || (ending !== '' && endings.includes(ending)),
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

/** What an archive without a roll holds, for the end of a sentence; `undefined` when unknown. */
export function describePacked(names: string[]): string | undefined {
  return PACKED.find((one) => names.some((name) => one.names.test(name)))?.what
}
