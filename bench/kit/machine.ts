/** The conditions of a measurement: machine, versions, commit, and other load. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'

export function describeMachine() {
  return {
    at: new Date().toISOString(),
    cpu: cpus()[0]?.model,
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    node: process.version,
    commit: git('rev-parse', '--short', 'HEAD'),
    changed: git('status', '--porcelain', '--', 'src') !== '',
    load: readFileSync('/proc/loadavg', 'utf8').split(' ').slice(0, 3).join(' '),
  }
}

export type Machine = ReturnType<typeof describeMachine>

function git(...words: string[]): string {
  return execFileSync('git', words, { encoding: 'utf8' }).trim()
}
