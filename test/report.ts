/**
 * A reporter for `pool.ts`: a line for each file with its seconds by the clock and of processor
 * time, failed tests in full, and the pool's counts in `counts.json` of the folder that `TEST_POOL`
 * names.
 */
import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import { readProcessorMs, usedAt } from './processor-time.ts'

export type PoolCounts = {
  pass: number
  fail: number
  skip: number
  /** Files that were run to their end. */
  files: string[]
  /** Files in which a test or a hook failed. */
  failed: string[]
  /** One line for each test that failed: file and line, name, how its error begins. */
  failures: string[]
  /** Of the process and those that it started. */
  processorMs: number
}

type Ended = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>

/** Counts of one file, which are added to the pool's when it ends. */
const NOTHING = { pass: 0, fail: 0, skip: 0 }

export default async function* report(events: AsyncIterable<TestEvent>) {
  const pool: PoolCounts = { ...NOTHING, files: [], failed: [], failures: [], processorMs: 0 }
  const folder = process.env.TEST_POOL
  let file = { ...NOTHING }
  let names: string[] = []
  for await (const event of events) {
    if (event.type === 'test:start')
      names = [...names.slice(0, event.data.nesting), event.data.name]
    if (event.type === 'test:stderr' || event.type === 'test:stdout') yield event.data.message
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    const { data } = event
    const ended = endOf(event)
    if (ended === 'fail' && !isOnlyOfChildren(event)) {
      file.fail += 1
      const path = [...names.slice(1, data.nesting), data.name].join(' › ')
      const failure = `${placeOf(event)}: ${path}`
      const text = textOf(event)
      pool.failures.push(`${failure} (${beginningOf(text)})`)
      yield `✖ ${failure}\n${text.replaceAll(/^/gm, '    ')}\n`
    } else if (ended !== 'fail' && data.details.type !== 'suite') file[ended] += 1
    if (data.nesting > 0) continue
    const used = usedAt.get(data.name) ?? readProcessorMs()
    yield lineOf(data.name, file, [data.details.duration_ms, used - pool.processorMs])
    pool.processorMs = used
    pool.files.push(data.name)
    if (file.fail > 0) pool.failed.push(data.name)
    for (const kind of ['pass', 'fail', 'skip'] as const) pool[kind] += file[kind]
    file = { ...NOTHING }
    if (folder !== undefined) writeFileSync(join(folder, 'counts.json'), JSON.stringify(pool))
  }
}

function endOf({ type, data }: Ended): 'pass' | 'fail' | 'skip' {
  if (data.skip !== undefined && data.skip !== false) return 'skip'
  return type === 'test:pass' || data.todo !== undefined ? 'pass' : 'fail'
}

/** A test or suite that failed because one below it did. */
function isOnlyOfChildren({ data }: Ended): boolean {
  const error = 'error' in data.details ? data.details.error : undefined
  return (error as { failureType?: string } | undefined)?.failureType === 'subtestsFailed'
}

function placeOf({ data }: Ended): string {
  if (data.file === undefined || data.details.type === 'suite') return data.name
  return `${relative(process.cwd(), data.file)}:${data.line}`
}

function textOf({ data }: Ended): string {
  const error = 'error' in data.details ? data.details.error : undefined
  const cause = (error as Error | undefined)?.cause ?? error
  return inspect(cause, { depth: 6 })
}

/** Without the lines of the stack, so that the end of a log says why a test failed. */
function beginningOf(text: string): string {
  const words = text.split(/\n\s+at /, 1)[0]?.replaceAll(/\s+/g, ' ') ?? ''
  return words.length > 300 ? `${words.slice(0, 300)}…` : words
}

function lineOf(
  name: string,
  { pass, fail, skip }: typeof NOTHING,
  [durationMs, processorMs]: [number, number],
): string {
  const counts = [`${pass + fail + skip} tests`]
  if (skip > 0) counts.push(`${skip} skipped`)
  if (fail > 0) counts.push(`${fail} FAILED`)
  counts.push(`${(durationMs / 1000).toFixed(1)} s`, `${(processorMs / 1000).toFixed(1)} s of CPU`)
  return `${fail > 0 ? '✖' : '✔'} ${name} (${counts.join(', ')})\n`
}
