/**
 * A clock of a service under test that can be set while it runs, as an operator or a bad time
 * server sets the clock of a machine.
 */
import { readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type MovingClock = {
  /** Environment variables for every process that uses this clock. */
  env: Record<string, string>
  /** The tool that sets it, for the name of the test. */
  by: string
  /** Sets the offset from the machine's time, in milliseconds, at once in all processes. */
  set(offsetMs: number): void
}

const LIBRARIES = '/usr/lib'
const LIBRARY = 'libfaketime.so.1'
const MODULE = fileURLToPath(new URL('moving-clock-module.ts', import.meta.url))

/**
 * Changes the clock of a process: by `libfaketime` (Debian's package `faketime`), or, if it is not
 * installed, by a module that replaces `Date.now`. Monotonic clocks and timers are unchanged, as
 * when a real clock is set.
 */
export function createMovingClock(folder: string): MovingClock {
  const file = join(folder, 'clock')
  const set = (offsetMs: number) => {
    const seconds = (offsetMs / 1000).toFixed(3)
    writeFileSync(`${file}.new`, offsetMs < 0 ? seconds : `+${seconds}`)
    renameSync(`${file}.new`, file)
  }
  set(0)
  const library = findLibrary()
  if (library === undefined) {
    const env = { NODE_OPTIONS: `--import ${MODULE}`, PLATBOOK_TEST_CLOCK: file }
    return { env, by: 'Date.now', set }
  }
  const env = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  return { env, by: 'libfaketime', set }
}

function findLibrary(): string | undefined {
  if (process.platform !== 'linux' || process.env.PLATBOOK_TEST_WITHOUT_FAKETIME !== undefined)
    return
  return readdirSync(LIBRARIES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.includes('-linux-gnu'))
    .map(({ name }) => join(LIBRARIES, name, 'faketime'))
    .filter((path) => readdirOrNone(path).includes(LIBRARY))
    .map((path) => join(path, LIBRARY))[0]
}

function readdirOrNone(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
