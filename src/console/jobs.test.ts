import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { until } from '../../test/until.ts'
import { readConfig } from '../settings/read-config.ts'
import { createJobs, type Job, type JobLimits, showJob } from './jobs.ts'

const isLinux = process.platform === 'linux'

test('a command that is killed from outside is reported, with where to look', {
  skip: !isLinux,
}, async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'platbook-jobs-'))
  t.after(() => rmSync(data, { recursive: true, force: true }))
  const jobs = createJobs(readConfig({ PLATBOOK_DATA: data }), Date.now)
  t.after(() => jobs.close())
  const file = join(data, 'roll.csv')
  writeFileSync(file, 'PIN,OWNER\n1,A\n')
  const before = listChildren()
  const job = jobs.start('otto', ['inspect', file], { page: '/imports/1' })
  const [child] = listChildren().filter((pid) => !before.includes(pid))
  process.kill(child ?? 0, 'SIGKILL')
  await ended(job)
  assert.match(job.error ?? '', /ended from outside \(SIGKILL\).*history on Imports/)
  assert.equal(showJob(jobs, job.id).error, job.error)
  assert.throws(() => showJob(jobs, 'another'), /the console was restarted meanwhile/)
})

/** Runs another program with the words of a job. */
const running = (program: string): JobLimits => ({
  spawn: (node, [, ...words], options) => spawn(node, [program, ...words], options),
})

/** A program that prints that it began, ignores SIGTERM and never ends by itself. */
const DEAF = `process.on('SIGTERM', () => {})
process.stderr.write('begun\\n')
setInterval(() => {}, 1000)`

function makeJobs(t: TestContext, limits: JobLimits = {}) {
  const data = mkdtempSync(join(tmpdir(), 'platbook-jobs-'))
  const program = join(data, 'deaf.mjs')
  writeFileSync(program, DEAF)
  const settings = readConfig({ PLATBOOK_DATA: data })
  const jobs = createJobs(settings, Date.now, {
    ...running(program),
    ...{ graceMs: 50, ...limits },
  })
  t.after(async () => {
    const left = jobs.list().filter(({ endedAt }) => endedAt === null)
    jobs.close()
    for (const { id } of left) jobs.stop(id)
    await Promise.all(left.map(ended))
    rmSync(data, { recursive: true, force: true })
  })
  return jobs
}

test('two jobs run at once; others wait, say so, and begin when one has ended', async (t) => {
  const jobs = makeJobs(t)
  const [first, second, third, fourth] = Array.from({ length: 4 }, () =>
    jobs.start('otto', ['check']),
  ) as [Job, Job, Job, Job]
  assert.deepEqual(
    [first, second, third, fourth].map(({ isWaiting }) => isWaiting),
    [false, false, true, true],
  )
  assert.match(showJob(jobs, third.id).lines.join(), /waits until another job has ended/)
  jobs.stop(third.id)
  assert.match(third.error ?? '', /stopped before it began/)
  await until(() => first.lines.length > 0)
  jobs.stop(first.id)
  await ended(first)
  assert.equal(fourth.isWaiting, false)
})

test('a job that does not stop is killed', async (t) => {
  const jobs = makeJobs(t)
  const job = jobs.start('otto', ['import'])
  await until(() => job.lines.length > 0)
  jobs.stop(job.id)
  await ended(job)
  assert.match(job.error ?? '', /SIGKILL/)
})

test('an inspection that takes too long is stopped, and says so; a check is not', async (t) => {
  const jobs = makeJobs(t, { inspectMs: 1 })
  const job = jobs.start('otto', ['inspect'])
  const check = jobs.start('otto', ['check'])
  await ended(job)
  assert.match(job.error ?? '', /took longer than 1 min and was stopped/)
  assert.equal(check.endedAt, null)
})

test('the reason of a failure has the list below it', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'platbook-jobs-'))
  t.after(() => rmSync(data, { recursive: true, force: true }))
  const program = join(data, 'wrong.mjs')
  const said = 'reading\nplatbook: it is wrong:\n  line 1: a\n  line 2: b\nend\n'
  writeFileSync(program, `process.stderr.write(${JSON.stringify(said)}); process.exitCode = 2`)
  const jobs = createJobs(readConfig({ PLATBOOK_DATA: data }), Date.now, running(program))
  const job = jobs.start('otto', ['import'])
  await ended(job)
  assert.equal(job.error, 'it is wrong: line 1: a; line 2: b')
})

test('a command reads its words and input; what fails after it ended is the error', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'platbook-jobs-'))
  t.after(() => rmSync(data, { recursive: true, force: true }))
  const program = join(data, 'done.mjs')
  const read = `console.log(JSON.stringify([...process.argv.slice(2), readFileSync(0, 'utf8')]))`
  writeFileSync(program, `import { readFileSync } from 'node:fs'; ${read}`)
  const jobs = createJobs(readConfig({ PLATBOOK_DATA: data }), Date.now, running(program))
  const whenDone = () => readFileSync(join(data, 'removed', 'mapping.json'))
  const [first, next] = [
    jobs.start('otto', ['inspect'], { whenDone }),
    jobs.start('otto', ['check'], { input: 'typed' }),
  ]
  await Promise.all([ended(first), ended(next)])
  assert.match(first.error ?? '', /ENOENT.* 'removed\/mapping\.json'/)
  assert.deepEqual([next.error, next.result], [null, ['check', '--json', 'typed']])
  assert.deepEqual(first.result, ['inspect', '--json', ''])
})

test('fifty jobs wait, and one more is refused', (t) => {
  const jobs = makeJobs(t)
  const start = () => jobs.start('otto', ['check'])
  for (let at = 0; at < 52; at += 1) start()
  assert.throws(start, /50 jobs wait already; stop some/)
  for (const { id } of jobs.list().slice(0, 50)) jobs.stop(id)
})

function listChildren(): number[] {
  const path = `/proc/${process.pid}/task/${process.pid}/children`
  return readFileSync(path, 'utf8').trim().split(' ').map(Number)
}

const ended = (job: Job) => until(() => job.endedAt !== null)
