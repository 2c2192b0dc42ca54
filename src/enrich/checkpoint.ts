/**
 * Keeps the progress of a run, so that a killed one can continue. The output grows in `OUT.part`;
 * `OUT.resume` has its length after each chunk; a resumed run cuts off what is beyond.
 */
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { CommandError } from '../base/errors.ts'
import { putInPlace, replaceFile } from '../base/safe-files.ts'

/** Number of rows by result. */
export type Counts = {
  rows: number
  found: number
  none: number
  ambiguous: number
  invalid: number
}

type Noted = { options: string; run: string; bytes: number; counts: Counts }

/** The output of a run with its progress. */
export type Checkpoint = {
  /** Names the run; a resumed run keeps it. */
  run: string
  counts: Counts
  /** Appends text to the output and records the counts. `sync`: sync to disk before recording. */
  append(text: string, counts: Counts, sync: boolean): void
  /** Gives the output its final name. */
  finish(): void
  /** Keeps everything for a later run. */
  close(): void
}

/** `options`: what the output depends on; with others no run continues. Throws `CommandError`. */
export function openCheckpoint(out: string, options: string, force: boolean): Checkpoint {
  const part = `${out}.part`
  const note = `${out}.resume`
  if (existsSync(out) && !force) throw new CommandError(`${out} is there already; see --force`)
  if (force) for (const file of [part, note]) rmSync(file, { force: true })
  const found = readNote(note, options)
  const state: Noted = found ?? {
    options,
    run: randomUUID(),
    bytes: 0,
    counts: { rows: 0, found: 0, none: 0, ambiguous: 0, invalid: 0 },
  }
  const descriptor = openSync(part, existsSync(part) ? 'r+' : 'w')
  ftruncateSync(descriptor, state.bytes)
  if (found === undefined) save()

  function save(): void {
    replaceFile(note, JSON.stringify(state), 0o666)
  }

  return {
    run: state.run,
    counts: { ...state.counts },
    append(text, counts, sync) {
      const bytes = Buffer.from(text)
      for (let at = 0; at < bytes.length; ) {
        at += writeSync(descriptor, bytes, at, bytes.length - at, state.bytes + at)
      }
      if (sync) fdatasyncSync(descriptor)
      state.bytes += bytes.length
      state.counts = { ...counts }
      save()
    },
    finish() {
      closeSync(descriptor)
      putInPlace(part, out)
      rmSync(note)
    },
    close: () => closeSync(descriptor),
  }
}

function readNote(note: string, options: string): Noted | undefined {
  if (!existsSync(note)) return undefined
  const noted = JSON.parse(readFileSync(note, 'utf8')) as Noted
  if (noted.options === options) return noted
  throw new CommandError(
    `${note} is of a run with other options or another input; --force begins anew`,
  )
}
