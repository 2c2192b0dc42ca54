/** The console's process. It ends with the process that started it. */
import { CommandError } from '../base/errors.ts'
import { startConsole } from '../console/start.ts'
import { expireFiles } from '../import/report/expire-files.ts'
import { alarm, endBy, sayReady, takeOrder } from './child.ts'
import type { ConsoleOrder } from './messages.ts'

const EXPIRE_MS = 3_600_000

// Exports and drafts of its jobs hold owners' names.
process.umask(0o077)
const { config, service } = takeOrder<ConsoleOrder>()
try {
  const { address, stop } = await startConsole(config, service, alarm)
  const expire = () => expireFiles(config.data, config.filesDays, Date.now())
  expire()
  setInterval(expire, EXPIRE_MS).unref()
  endBy(stop)
  sayReady({ address })
} catch (error) {
  if (!(error instanceof CommandError)) throw error
  process.send?.({ kind: 'refused', text: error.message }, () => process.exit(1))
}
