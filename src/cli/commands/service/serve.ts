import { spawn } from 'node:child_process'
import { flushCompileCache } from 'node:module'
import { CommandError } from '../../../base/errors.ts'
import { findWideRights } from '../../../base/private-files.ts'
import { startService } from '../../../processes/primary.ts'
import { superviseConsole } from '../../../processes/supervise-console.ts'
import type { Config } from '../../../settings/config.ts'
import { readSetting } from '../../../settings/read-config.ts'
import { type CommandArgs, type CommandIo, command } from '../../command.ts'
import { printResult } from '../../table.ts'
import { waitForStop } from '../../wait-for-stop.ts'

export const serveCommand = command('serve', async (args, io) => {
  await serve(readServeConfig(args, io), io, hasConsole(args), () => undefined)
})

/** Returns the settings, overridden by the command line. */
export function readServeConfig({ values }: CommandArgs, { config }: CommandIo): Config {
  const own: Partial<Config> = {}
  for (const [key, option] of OWN_SETTINGS) {
    const text = values[option]
    if (typeof text !== 'string') continue
    if (text === '') throw new CommandError(`--${option} is empty`, 2)
    try {
      Object.assign(own, { [key]: readSetting(key, text) })
    } catch (error) {
      throw new CommandError(`--${option}: ${(error as Error).message}`, 2)
    }
  }
  const all = { ...config, ...own }
  if (all.readDatabaseUrl !== null && all.databaseUrl === null) {
    throw new CommandError('--read-database needs --database: the primary of these standbys', 2)
  }
  return all
}

const OWN_SETTINGS = [
  ['host', 'host'],
  ['port', 'port'],
  ['workers', 'workers'],
  ['readDatabaseUrl', 'read-database'],
] as const

export function hasConsole({ values }: CommandArgs): boolean {
  return values['no-console'] !== true
}

/** Returns the lines about the billing page for blocked callers, unless a setting names one. */
function describeBillingPage(config: Config, address: string): string[] {
  const { billingUrl, consoleUrl, publicUrl } = config
  if (billingUrl !== null || consoleUrl !== null || publicUrl !== null) return []
  return [
    `a 403 names ${address}/billing as the billing page; PLATBOOK_PUBLIC_URL or ` +
      'PLATBOOK_BILLING_URL names another',
  ]
}

/** Returns the console's address on this machine; null: its port is only known later. */
function nameConsole({ consoleHost, consolePort }: Config): string | null {
  if (consolePort === 0) return null
  const host = ['0.0.0.0', '::'].includes(consoleHost) ? '127.0.0.1' : consoleHost
  return `http://${host.includes(':') ? `[${host}]` : host}:${consolePort}`
}

/** Serves until a stop signal. `greet` gets both addresses, the console's only when it runs. */
export async function serve(
  config: Config,
  io: CommandIo,
  withConsole: boolean,
  greet: (address: string, consoleAddress: string | undefined) => void | Promise<void>,
): Promise<void> {
  const stopped = waitForStop()
  const systemd = openSystemd(process.env)
  // Certificates and log files are read again within 2 s of a change without it too.
  process.on('SIGHUP', () => {
    systemd.reloading()
    systemd.ready()
  })
  const report = (line: string) => io.report(line)
  const service = await startService(config, report, withConsole ? nameConsole(config) : null)
  for (const line of findWideRights(config.data)) io.report(`warning: ${line}`)
  const { address } = service
  for (const line of describeBillingPage(config, address)) io.report(line)
  printResult(io, { address }, `Platbook answers at ${address}`)
  const web = withConsole ? superviseConsole(config, address, io.report) : undefined
  await greet(address, await web?.address)
  // Nothing is left to write at the exit: docs/decisions/benches-and-start.md.
  flushCompileCache()
  systemd.ready()
  await stopped
  systemd.stopping()
  await web?.stop()
  await service.stop()
}

/** States of sd_notify(3). */
type Systemd = { ready(): void; reloading(): void; stopping(): void }

/**
 * Sends by the command `systemd-notify`, because the runtime has no datagrams over Unix sockets;
 * the unit needs `NotifyAccess=all`. With `WATCHDOG_USEC` it reports twice within that time.
 */
function openSystemd(env: NodeJS.ProcessEnv): Systemd {
  const send = (...states: string[]) => {
    if (env.NOTIFY_SOCKET === undefined) return
    const sent = spawn('systemd-notify', states, { stdio: 'ignore', env })
    // Without the command there is no systemd that waits.
    sent.on('error', () => undefined)
    sent.unref()
  }
  const watchdogMs = Number(env.WATCHDOG_USEC ?? 0) / 1000
  let watchdog: NodeJS.Timeout | undefined
  return {
    ready() {
      send('READY=1')
      if (!(watchdogMs > 0)) return
      watchdog ??= setInterval(() => send('WATCHDOG=1'), watchdogMs / 2).unref()
    },
    reloading() {
      // `hrtime` reads CLOCK_MONOTONIC.
      send('RELOADING=1', `MONOTONIC_USEC=${process.hrtime.bigint() / 1000n}`)
    },
    stopping() {
      clearInterval(watchdog)
      send('STOPPING=1')
    },
  }
}
