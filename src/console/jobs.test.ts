import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../settings/read-config.ts'
import { createJobs, type Job, showJob } from './jobs.ts'

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

function listChildren(): number[] {
  const path = `/proc/${process.pid}/task/${process.pid}/children`
  return readFileSync(path, 'utf8').trim().split(' ').map(Number)
}

async function ended(job: Job): Promise<void> {
  while (job.endedAt === null) await new Promise((resolve) => setTimeout(resolve, 20))
}
