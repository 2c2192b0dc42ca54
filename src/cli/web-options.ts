import { CommandError } from '../base/errors.ts'
import { makeWeb, type Web } from '../import/sources/web.ts'
import type { CommandArgs, CommandIo } from './command.ts'

/** The web settings of options and configuration. Throws `CommandError` for an invalid value. */
export function readWeb(
  { concurrency = '2', 'allow-private': allowPrivate }: CommandArgs['values'],
  io: CommandIo,
  isStopped: () => boolean,
): Web {
  if (!/^[1-8]$/.test(String(concurrency))) {
    throw new CommandError(`--concurrency: "${concurrency}" is not a number from 1 to 8`, 2)
  }
  return makeWeb({
    contact: io.config.contact,
    allowPrivate: allowPrivate === true,
    concurrency: Number(concurrency),
    report: io.report,
    now: io.now,
    isStopped,
  })
}
