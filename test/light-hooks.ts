/**
 * Node's test runner follows every promise and socket by hooks, to know which test an error or a
 * new test belongs to: a seventh of the processor time of contract tests. Imported before
 * `node:test`, this gives it the same answer from an `AsyncLocalStorage`, which costs nothing.
 */
import { createRequire } from 'node:module'

// The runner reads these functions from the object that `require` gives.
const hooks = createRequire(import.meta.url)('node:async_hooks') as typeof import('async_hooks')
const { createHook, executionAsyncId, AsyncLocalStorage, AsyncResource } = hooks
const { runInAsyncScope } = AsyncResource.prototype
/** The id of the test or suite that is under way. */
const current = new AsyncLocalStorage<number>()

type Init = NonNullable<Parameters<typeof createHook>[0]['init']>
let note: Init | undefined

hooks.createHook = ({ init }) => {
  note = init
  hooks.createHook = createHook
  const hook = { enable: () => hook, disable: () => hook }
  return hook
}

hooks.executionAsyncId = () => current.getStore() ?? executionAsyncId()

AsyncResource.prototype.runInAsyncScope = function (fn, thisArg, ...args) {
  if (!/^(Test|Suite|TestHook)$/.test(this.constructor.name))
    return runInAsyncScope.call(this, fn as never, thisArg, ...args) as ReturnType<typeof fn>
  const id = this.asyncId()
  note?.(id, '', 0, this)
  // Within, because the call restores what was current when the test was made.
  const within = () => current.run(id, () => fn.apply(thisArg as never, args))
  return runInAsyncScope.call(this, within) as ReturnType<typeof fn>
}
