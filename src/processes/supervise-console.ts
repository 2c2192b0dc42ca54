/** Keeps the console's process running with the service, which does not depend on it. */
import type { Config } from '../settings/config.ts'
import { leastConfig, WITHOUT_SECRETS } from '../settings/least-environment.ts'
import type { ConsoleOrder } from './messages.ts'
import { forkChild, type Said, supervise } from './supervise.ts'

const STOP_MS = 5000

/** Starts the process. `service`: address of the API. */
export function superviseConsole(config: Config, service: string, report: (line: string) => void) {
  let address: string | undefined
  function start() {
    // It restarts at the same address, also when the port was chosen automatically.
    const consolePort = address === undefined ? config.consolePort : Number(new URL(address).port)
    const order: ConsoleOrder = {
      config: leastConfig({ ...config, consolePort }, 'console'),
      service,
    }
    return forkChild('console.ts', order, {
      env: WITHOUT_SECRETS,
      // docs/decisions/benches-and-start.md
      execArgv: ['--max-semi-space-size=2'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
  }
  const child = supervise<Said & { address?: string }>(
    {
      name: () => "the console's process",
      start,
      isNeeded: false,
      hear: (message) => {
        address = message.address ?? address
      },
    },
    report,
  )
  return {
    /** The console's address; `undefined` if it could not start, and `report` got the reason. */
    address: child.started.then(
      () => address,
      (error: Error) => {
        report(error.message)
        return undefined
      },
    ),
    stop: () => child.stop(STOP_MS),
  }
}
