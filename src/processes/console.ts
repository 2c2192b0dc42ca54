/** The console's process. It ends with the process that started it. */
import { flushCompileCache } from 'node:module'
import { CommandError } from '../base/errors.ts'
import { BEAT_MS } from '../base/liveness.ts'
import { startConsole } from '../console/start.ts'
import { expireFiles } from '../import/report/expire-files.ts'
import { type ConsoleOrder, ORDER } from './messages.ts'

const EXPIRE_MS = 3_600_000
const { config, service } = JSON.parse(process.env[ORDER] ?? '{}') as ConsoleOrder
const report = (line: string) => void process.stderr.write(`${line}\n`)

process.on('SIGINT', () => undefined)
process.on('SIGHUP', () => undefined)
process.on('disconnect', () => process.exit(0))

try {
  const { address, stop } = await startConsole(config, service, report)
  process.send?.({ kind: 'listening', address })
  setInterval(() => process.send?.({ kind: 'alive' }), BEAT_MS).unref()
  const expire = () => expireFiles(config.data, config.filesDays, Date.now())
  expire()
  setInterval(expire, EXPIRE_MS).unref()
  process.on('SIGTERM', () => void stop().then(() => process.exit(0)))
  // Nothing is left to write at the exit: docs/decisions/benches-and-start.md.
  flushCompileCache()
} catch (error) {
  if (!(error instanceof CommandError)) throw error
  process.send?.({ kind: 'refused', text: error.message })
}
