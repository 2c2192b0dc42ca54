/** What downloads and loads are run with: a way to stop, web settings, a line of progress. */
import { CommandError } from '../base/errors.ts'
import type { ProgressSink } from '../import/report/progress.ts'
import { makeWeb, type Web } from '../import/sources/web.ts'
import type { CommandArgs, CommandIo } from './command.ts'

/** A signal stops an import between two steps, so that it can report; a second one at once. */
export function watchStop(io: CommandIo) {
  let asked = false
  const ask = () => {
    if (asked) process.exit(1)
    asked = true
    io.report('stopping; once more ends at once')
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.on(signal, ask)
  return {
    isAsked: () => asked,
    end: () => {
      for (const signal of signals) process.off(signal, ask)
    },
  }
}

export function makeSink(io: CommandIo, isStopped = () => false): ProgressSink {
  return {
    isStopped,
    terminal: io.terminal,
    report: io.report,
    now: io.now,
    // Returns to the start of the line, writes the text and clears the rest.
    draw: (text) => process.stderr.write(`\r${text}\u001b[K`),
  }
}

/** What loads are run with, by options and configuration. `end`: signals stop the process again. */
export function openWorld(values: CommandArgs['values'], io: CommandIo) {
  const stop = watchStop(io)
  try {
    const web = readWeb(values, io, stop.isAsked)
    return { config: io.config, web, sink: makeSink(io, stop.isAsked), end: stop.end }
  } catch (error) {
    stop.end()
    throw error
  }
}

/** The web settings of options and configuration. Throws `CommandError` for an invalid value. */
function readWeb(
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
