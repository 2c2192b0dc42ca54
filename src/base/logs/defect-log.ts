/** Stores the newest log lines of defects in the data folder, so that the console can show them. */
import { appendFileSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'

const FILE = 'defects.log'
/** At this size the file replaces the previous one. */
const FILE_BYTES = 256 * 1024

export type Defect = { at: string; requestId: string; operation: string; error: string }

/** Adds a line. Standard error has it too, so a full disk loses nothing. */
export function keepDefect(dataDir: string, line: string): void {
  const file = join(dataDir, FILE)
  try {
    appendFileSync(file, `${line}\n`, { mode: 0o600 })
    if (statSync(file).size > FILE_BYTES) renameSync(file, `${file}.old`)
  } catch {
    // The line is on standard error.
  }
}

/** Returns the newest defects first, at most `most`; skips incomplete lines. */
export function readDefects(dataDir: string, most: number): Defect[] {
  const lines = [`${FILE}.old`, FILE].flatMap((name) => readLines(join(dataDir, name)))
  return lines
    .slice(-most)
    .reverse()
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Defect]
      } catch {
        return []
      }
    })
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n')
  } catch {
    return []
  }
}
