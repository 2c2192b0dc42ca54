/** Keeps the newest log lines of defects beside the data, so that the console can show them. */
import { appendFileSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'

const FILE = 'defects.log'
/** Then the file becomes the older one, which the next takes the place of. */
const FILE_BYTES = 256 * 1024

/** One line of the log: a 500, or a 503 with a cause. */
export type Defect = { at: string; requestId: string; operation: string; error: string }

/** Adds a line. The log on standard error has it too, so a full disk loses nothing here. */
export function keepDefect(dataDir: string, line: string): void {
  const file = join(dataDir, FILE)
  try {
    appendFileSync(file, `${line}\n`, { mode: 0o600 })
    if (statSync(file).size > FILE_BYTES) renameSync(file, `${file}.old`)
  } catch {
    // Standard error has it.
  }
}

/** The newest defects first, at most `most`. Lines that are half written are left out. */
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
