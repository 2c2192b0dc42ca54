/**
 * Lets `node:test` find the test that runs by a store of the context, where it sets a hook on every
 * promise: 4 % of the processor time of imports and contract tests. Imported before `node:test`.
 */
import type { AsyncResource } from 'node:async_hooks'
import { createRequire } from 'node:module'

const hooks = createRequire(import.meta.url)(
  'node:async_hooks',
) as typeof import('node:async_hooks')
const { createHook, executionAsyncId } = hooks
const running = new hooks.AsyncLocalStorage<AsyncResource>()
type Init = (id: number, type: string, parent: number, resource: object) => void
let note: Init = () => undefined

type Run = (...words: unknown[]) => unknown

const { runInAsyncScope } = hooks.AsyncResource.prototype
function runNoted(this: AsyncResource, run: Run, self: unknown, ...words: unknown[]): unknown {
  // Tests and suites alone: others have no subtests.
  if (!('subtests' in this)) return runInAsyncScope.call(this, run, self, ...words)
  note(this.asyncId(), 'Test', 0, this)
  return runInAsyncScope.call(this, () => running.run(this, () => run.apply(self, words)))
}
hooks.AsyncResource.prototype.runInAsyncScope = runNoted as typeof runInAsyncScope

hooks.createHook = ({ init }) => {
  note = init as Init
  const hook = { enable: () => hook, disable: () => hook }
  return hook
}
hooks.executionAsyncId = () => running.getStore()?.asyncId() ?? executionAsyncId()
await import('node:test')
Object.assign(hooks, { createHook, executionAsyncId })
