/** Writes rejected rows to a CSV in the data folder: file, line, reason and the row itself. */
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFile, makePrivateFolder } from '../../base/private-files.ts'

export type Rejects = ReturnType<typeof openRejects>

/** As it was recorded: its values, or the text of a line that has none. */
type Row = readonly string[] | string

type RejectedRow = { line: number; row: string }

/** Lines of the files that are shown of a reason. */
export const LINES_SHOWN = 3
/** Characters of each, and reasons that have them. */
const EXAMPLES = { characters: 200, reasons: 50 }

/** Distinct reasons counted separately; further ones are counted under the last. */
const REASONS_MAX = 1000

/** Written for a row that names a suppressed person or home. */
const HIDDEN_ROW = 'hidden by a suppression'

/**
 * Opens a file that is created with its first row. Without `folder`, rows are counted and not kept.
 * `isHidden`: whether a row names somebody who is suppressed; such rows are not written.
 */
export function openRejects(
  folder: string | undefined,
  name: string,
  isHidden: (row: Row) => boolean = () => false,
) {
  const path = folder === undefined ? undefined : join(folder, `${name}.csv`)
  const reasons = new Map<string, number>()
  const examples = new Map<string, RejectedRow[]>()
  let handle: number | undefined
  let pending = ''
  let count = 0
  let isOpen = true
  const flush = () => {
    if (path === undefined || folder === undefined || pending === '') return
    if (handle === undefined) {
      makePrivateFolder(folder)
      makePrivateFile(path)
      handle = openSync(path, 'w')
      pending = `file,line,reason,row\n${pending}`
    }
    writeSync(handle, pending)
    pending = ''
  }
  return {
    /** Rows so far. */
    get count() {
      return count
    },
    add(file: string, line: number, reason: string, row: Row): void {
      count += 1
      const kind = reasons.has(reason) || reasons.size < REASONS_MAX ? reason : 'other reasons'
      reasons.set(kind, (reasons.get(kind) ?? 0) + 1)
      const shown = examples.get(kind) ?? []
      const isKnown = examples.has(kind) || examples.size < EXAMPLES.reasons
      const isShown = shown.length < LINES_SHOWN && isKnown
      if (path === undefined && !isShown) return
      const whole = isHidden(row) ? HIDDEN_ROW : row
      const text = typeof whole === 'string' ? whole : whole.map(quote).join(',')
      if (isShown) {
        examples.set(kind, [...shown, { line, row: text.slice(0, EXAMPLES.characters) }])
      }
      if (path === undefined) return
      pending += `${quote(file)},${line},${quote(reason)},${quote(text)}\n`
      if (pending.length > 65_536) flush()
    },
    /** Returns the commonest reasons with their counts, commonest first. */
    reasons: () => [...reasons].sort((a, b) => b[1] - a[1]),
    /** The first rows of each of the commonest reasons; a suppressed row is not shown. */
    examples: (): Record<string, RejectedRow[]> => Object.fromEntries(examples),
    /** Closes the file; may be called twice. Its path, or `null` when no row is kept. */
    close(): string | null {
      if (isOpen) flush()
      if (isOpen && handle !== undefined) closeSync(handle)
      isOpen = false
      return handle === undefined ? null : (path ?? null)
    },
    discard(): void {
      if (isOpen && handle !== undefined) closeSync(handle)
      isOpen = false
      if (path !== undefined) rmSync(path, { force: true })
    },
  }
}

function quote(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
