/** The primary's side of an optional process: starts it, restarts it when it dies, and stops it. */
import { type ChildProcess, fork } from 'node:child_process'
import { endChild, sendStop } from '../base/end-child.ts'
import { watchLiveness } from '../base/liveness.ts'
import { WITHOUT_SETTINGS } from '../settings/least-environment.ts'
import type { FromChild } from './messages.ts'

const AGAIN_MS = 1000
const STOP_MS = 5000

export type ChildSupervisor = { stop(): Promise<void> }

type Child = {
  /** Its name for the operator: `billing`. */
  name: string
  program: URL
  /** Environment variables in addition to those of this process. */
  env: Record<string, string>
}

/** Nothing waits for its start. `report` is called with what an operator should know. */
export function superviseChild(
  { name, program, env: more }: Child,
  report: (line: string) => void,
): ChildSupervisor {
  let stopping = false
  let retry: NodeJS.Timeout | undefined
  let child = start()

  function start(): ChildProcess {
    const env = { ...process.env, ...WITHOUT_SETTINGS, ...more }
    const started = fork(program, [], { execArgv: [], env })
    const liveness = watchLiveness(() => {
      if (stopping) return
      report(`the ${name} process did not answer for 5 s; replacing it`)
      started.kill('SIGKILL')
    })
    started.on('message', (message: FromChild) => {
      liveness.heard()
      if (message.kind === 'alarm') report(message.text)
    })
    started.on('exit', (code, signal) => {
      liveness.stop()
      if (stopping) return
      report(`the ${name} process died (${signal ?? code}); starting it again`)
      retry = setTimeout(() => {
        child = start()
      }, AGAIN_MS)
    })
    return started
  }

  return {
    async stop() {
      stopping = true
      clearTimeout(retry)
      await endChild(child, sendStop, STOP_MS)
    },
  }
}
