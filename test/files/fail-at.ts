/**
 * Loaded before a command: its call number `FAIL_AT` that changes files fails, or kills the
 * process. A process with `FAIL_AT=0` only believes that every disk has room.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const CALLS = [
  ...['openSync', 'writeSync', 'fsyncSync', 'renameSync', 'linkSync', 'copyFileSync'],
  ...['mkdirSync', 'rmSync', 'rmdirSync', 'chmodSync'],
] as const

const failAt = Number(process.env.FAIL_AT ?? 0)
const how = process.env.FAIL_HOW ?? 'full'
const only = process.env.FAIL_CALL
let count = 0

// biome-ignore lint/suspicious/noExplicitAny: functions of many signatures are replaced by name
const functions = fs as any
for (const name of CALLS) {
  const real = functions[name]
  functions[name] = (...args: unknown[]) => {
    // Opening for reading changes nothing.
    const changes = name !== 'openSync' || (args[1] !== undefined && args[1] !== 'r')
    if (changes && (only === undefined || only === name)) {
      count += 1
      if (count === failAt && how === 'kill') process.kill(process.pid, 'SIGKILL')
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
