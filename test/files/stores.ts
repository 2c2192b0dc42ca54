/** Data folders that commands replace while they fail, and what a person then finds in them. */
import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { finishChange } from '../../src/base/safe-files.ts'
import { operate } from '../processes/operator.ts'
import { type Printed, runWarm } from '../warm-client.ts'

const ROLL = new URL('../fixtures/example-roll.csv', import.meta.url).pathname
const MAIN = new URL('../../src/cli/main.ts', import.meta.url).pathname
const FAIL_AT = new URL('fail-at.ts', import.meta.url).pathname

export type World = { folder: string; seed: string; backup: string; before: string; after: string }

/** A data folder, a backup of an earlier state of it, and both states as texts. */
export async function makeWorld(folder: string): Promise<World> {
  const [seed, backup, restored] = ['seed', 'backup', 'restored'].map((name) => join(folder, name))
  if (seed === undefined || backup === undefined || restored === undefined) throw new Error()
  await operate(seed, 'import', ROLL, '--mapping', 'platbook')
  await operate(seed, 'account', 'create', 'A')
  await operate(seed, 'backup', backup)
  await operate(seed, 'account', 'create', 'B')
  await operate(seed, 'unload', '--state', 'WI', '--county', 'Dane', '--confirm')
  cpSync(seed, restored, { recursive: true })
  await operate(restored, 'restore', backup)
  const world = { folder, seed, backup, before: readState(seed), after: readState(restored) }
  if (world.before === world.after) throw new Error('the states are the same')
  return world
}

/** Opens a folder as the next command does. Returns what its databases hold, as a text. */
export function readState(data: string): string {
  finishChange(data)
  const accounts = ask(join(data, 'accounts.db'), 'SELECT id, name FROM account ORDER BY id')
  const parcels = ask(join(data, 'parcels.db'), 'SELECT * FROM records ORDER BY id')
  return JSON.stringify({ accounts, parcels: hash('sha256', JSON.stringify(parcels)) })
}

function ask(path: string, sql: string): unknown {
  if (!existsSync(path)) return 'missing'
  const db = new DatabaseSync(path)
  try {
    const [check] = db.prepare('PRAGMA integrity_check').all()
    if (check?.integrity_check !== 'ok') return check
    return db.prepare(sql).all()
  } catch (error) {
    return (error as Error).message
  } finally {
    db.close()
  }
}

export type Failure = { at: number; how?: 'full' | 'kill'; call?: string }

export type Ended = { status: number | null; stdout: string; stderr: string }

function variablesOf({ at, how, call }: Failure): NodeJS.ProcessEnv {
  const kind = { ...(how !== undefined && { FAIL_HOW: how }) }
  return { FAIL_AT: String(at), ...kind, ...(call !== undefined && { FAIL_CALL: call }) }
}

/** Runs a command that fails at a call. Only one that is killed needs a process of its own. */
export async function runFailing(data: string, words: string[], failure: Failure): Promise<Ended> {
  if (failure.how === 'kill') return spawnFailing(data, words, failure)
  const ended: Ended = { status: 0, stdout: '', stderr: '' }
  const print: Printed = (name, text) => {
    ended[name] += text
  }
  ended.status = await runWarm([...words, '--data', data], print, { env: variablesOf(failure) })
  return ended
}

/** The same in a process of its own. The status is `null` when it was killed. */
export function spawnFailing(data: string, words: string[], failure: Failure): Ended {
  const env = { ...process.env, ...variablesOf(failure) }
  const args = ['--import', FAIL_AT, MAIN, ...words, '--data', data]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  return { status, stdout, stderr }
}

/** Copies a folder over another one. */
export function copyFolder(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to, { recursive: true })
  cpSync(from, to, { recursive: true })
}
