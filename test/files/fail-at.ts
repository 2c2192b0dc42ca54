/**
 * A command whose call number `FAIL_AT` that changes files fails, or kills the process: of a
 * process that loads this before, or between `failFiles` and its end. With `FAIL_AT=0` it only
 * believes that every disk has room.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const CALLS = [
  ...['openSync', 'writeSync', 'fsyncSync', 'renameSync', 'linkSync', 'copyFileSync'],
  ...['mkdirSync', 'rmSync', 'rmdirSync', 'chmodSync'],
] as const

/** Replaces the functions by the variables of a command; returns what puts them back. */
export function failFiles({ FAIL_AT, FAIL_HOW, FAIL_CALL: only }: NodeJS.ProcessEnv): () => void {
  const failAt = Number(FAIL_AT)
  let count = 0
  // biome-ignore lint/suspicious/noExplicitAny: functions of many signatures are replaced by name
  const functions = fs as any
  const before = { ...functions }
  for (const name of CALLS) {
    const real = functions[name]
    functions[name] = (...args: unknown[]) => {
      // Opening for reading changes nothing.
      const changes = name !== 'openSync' || (args[1] !== undefined && args[1] !== 'r')
      if (changes && (only === undefined || only === name)) {
        count += 1
        if (count === failAt && FAIL_HOW === 'kill') process.kill(process.pid, 'SIGKILL')
        if (count === failAt) {
          const text = `ENOSPC: no space left on device, ${name} '${args[0]}'`
          throw Object.assign(new Error(text), { code: 'ENOSPC', syscall: name, path: args[0] })
        }
      }
      return real(...args)
    }
  }
  const { statfsSync } = fs
  functions.statfsSync = (path: string) => ({ ...statfsSync(path), bavail: 1e12 })
  syncBuiltinESMExports()
  return () => {
    for (const name of [...CALLS, 'statfsSync']) functions[name] = before[name]
    syncBuiltinESMExports()
  }
}

if (process.env.FAIL_AT !== undefined) failFiles(process.env)
