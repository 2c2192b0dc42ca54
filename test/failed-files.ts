/**
 * A reporter of `node:test`: the files in which a test failed, each on a line. CI runs them once
 * more, alone.
 */
import type { TestEvent } from 'node:test/reporters'

export default async function* listFailedFiles(events: AsyncIterable<TestEvent>) {
  const files = new Set<string>()
  for await (const event of events) {
    if (event.type !== 'test:fail') continue
    const { file, name } = event.data
    files.add(file ?? name)
  }
  yield [...files].map((file) => `${file}\n`).join('')
}
