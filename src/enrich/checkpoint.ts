/**
 * How far a run has come, beside its output: a run that was killed goes on there.
 *
 * The output grows in `OUT.part`. After each chunk its length is noted in `OUT.resume`; what stands
 * behind that length was not noted and is cut off before the run goes on.
 */
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { CommandError } from '../errors.ts'

/** Rows by what became of them. */
export type Counts = {
  rows: number
  found: number
  none: number
  ambiguous: number
  invalid: number
}

type Noted = { options: string; run: string; bytes: number; counts: Counts }

/** The output of a run and how far it is, so that a killed run goes on. */
export type Checkpoint = {
  /** Names the run; a resumed run keeps it. */
  run: string
  counts: Counts
  /**
   * Adds text to the output and notes it with its counts. `sync`: on the disk before it is noted.
   */
  append(text: string, counts: Counts, sync: boolean): void
  /** Puts the output in its place. */
  finish(): void
  /** Leaves all as it is, to be resumed. */
  close(): void
}

/**
 * `options`: what the output depends on; a run with others is not resumed. Throws `CommandError`.
 */
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
    writeFileSync(`${note}.new`, JSON.stringify(state))
    renameSync(`${note}.new`, note)
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
      renameSync(part, out)
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
