/** Keeps the console's process running beside the service, which does not depend on it. */
import { type ChildProcess, fork } from 'node:child_process'
import { endChild } from '../base/end-child.ts'
import { watchLiveness } from '../base/liveness.ts'
import type { Config } from '../settings/config.ts'
import { WITHOUT_SECRETS } from '../settings/least-environment.ts'
import { leastConfig } from './least-config.ts'
import { type ConsoleOrder, type FromConsole, ORDER } from './messages.ts'

const PROGRAM = new URL('console.ts', import.meta.url)
/**
 * A process that dies within this time after its start is restarted only after ten times as long.
 */
const STEADY_MS = 3000
/** Milliseconds after which a process that does not end is killed. */
const STOP_MS = 5000

type SupervisedConsole = {
  /** The console's address; `undefined` if it could not start, and `report` got the reason. */
  address: Promise<string | undefined>
  pid(): number | undefined
  stop(): Promise<void>
}

/** Starts the process and restarts it when it dies. `service`: address of the API. */
export function superviseConsole(
  config: Config,
  service: string,
  report: (line: string) => void,
): SupervisedConsole {
  let child: ChildProcess | undefined
  let stopping = false
  let known: number | undefined
  const address = new Promise<string | undefined>((resolve) => start(resolve))

  function start(notify: (address: string | undefined) => void): void {
    // It restarts at the same address, also when the port was chosen automatically.
    const order: ConsoleOrder = {
      config: leastConfig({ ...config, consolePort: known ?? config.consolePort }, 'console'),
      service,
    }
    const startedAt = performance.now()
    let isRefused = false
    const started = fork(PROGRAM, [], {
      env: { ...process.env, ...WITHOUT_SECRETS, [ORDER]: JSON.stringify(order) },
      // docs/decisions/benches-and-start.md
      execArgv: ['--max-semi-space-size=2'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    child = started
    const liveness = watchLiveness(() => {
      if (stopping) return
      report('the console did not answer for 5 s; replacing it')
      started.kill('SIGKILL')
    })
    started.on('message', (message: FromConsole) => {
      liveness.heard()
      if (message.kind === 'alive') return
      if (message.kind === 'listening') {
        known = Number(new URL(message.address).port)
        notify(message.address)
        return
      }
      isRefused = true
      report(message.text)
      started.disconnect()
    })
    started.on('exit', (code, signal) => {
      liveness.stop()
      notify(undefined)
      if (stopping || isRefused) return
      report(`the console's process died (${signal ?? code}); starting it again`)
      const wait = performance.now() - startedAt > STEADY_MS ? 0 : 10 * STEADY_MS
      setTimeout(() => {
        if (!stopping) start(() => undefined)
      }, wait).unref()
    })
  }

  return {
    address,
    pid: () => child?.pid,
    async stop() {
      stopping = true
      if (child === undefined) return
      await endChild(child, (one) => one.kill('SIGTERM'), STOP_MS)
    },
  }
}
