/** What a block does when it ends, also by an error: for `using`. */

/** Does the work when the block ends. */
export function atEnd(work: () => void): Disposable {
  return { [Symbol.dispose]: work }
}

/** Closes what was opened when the block of `await using` ends. */
export function closing<Opened extends { close(): unknown }>(
  opened: Opened,
): Opened & AsyncDisposable {
  return Object.assign(opened, { [Symbol.asyncDispose]: async () => void (await opened.close()) })
}
