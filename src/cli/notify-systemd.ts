/** Tells systemd about a service of `Type=notify`. Does nothing without systemd. */
import { spawn } from 'node:child_process'

/** States of sd_notify(3). */
type Systemd = { ready(): void; reloading(): void; stopping(): void }

/**
 * Sends by the command `systemd-notify`, because the runtime has no datagrams over Unix sockets;
 * the unit needs `NotifyAccess=all`. With `WATCHDOG_USEC` it reports twice within that time.
 */
export function openSystemd(env: NodeJS.ProcessEnv): Systemd {
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
