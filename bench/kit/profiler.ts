/** Sums of profiles of Node's inspector. */

import { readdirSync, readFileSync } from 'node:fs'
import type { Profiler } from 'node:inspector'
import { join } from 'node:path'
import { round } from './numbers.ts'

/** Microseconds that each node of a profile took itself, by its id. */
export function ownTimes({ samples = [], timeDeltas = [] }: Profiler.Profile): Map<number, number> {
  const own = new Map<number, number>()
  samples.forEach((id, at) => {
    own.set(id, (own.get(id) ?? 0) + (timeDeltas[at] ?? 0))
  })
  return own
}

/**
 * Microseconds by part, of one of `count` rows or requests. `partOf` says which part a frame
 * belongs to, given that of its caller; the last of `parts` is where it begins.
 */
export function sumParts(
  profile: Profiler.Profile,
  parts: readonly string[],
  count: number,
  partOf: (frame: { functionName: string; url: string }, above: string) => string,
): Record<string, number> {
  const own = ownTimes(profile)
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const sums = new Map(parts.map((part) => [part, 0]))
  const walk = (node: Profiler.ProfileNode | undefined, above: string) => {
    if (node === undefined) return
    const part = partOf(node.callFrame, above)
    sums.set(part, (sums.get(part) ?? 0) + (own.get(node.id) ?? 0))
    for (const id of node.children ?? []) walk(nodes.get(id), part)
  }
  walk(profile.nodes[0], parts.at(-1) ?? '')
  return Object.fromEntries([...sums].map(([part, us]) => [part, round(us / count, 1)]))
}

/**
 * Seconds that all threads of a program were busy, by the folder of `src/` whose functions ran.
 * `folder` has what `--cpu-prof` wrote, a profile a thread. SQLite's time is its caller's.
 */
export function sumFolders(folder: string): Record<string, number> {
  const sums = new Map<string, number>()
  for (const file of readdirSync(folder)) {
    const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Profiler.Profile
    const own = ownTimes(profile)
    for (const { id, callFrame } of profile.nodes) {
      const part = folderOf(callFrame)
      if (part !== 'idle') sums.set(part, (sums.get(part) ?? 0) + (own.get(id) ?? 0))
    }
  }
  return Object.fromEntries([...sums].map(([part, us]) => [part, round(us / 1e6, 2)]))
}

function folderOf({ functionName, url }: { functionName: string; url: string }): string {
  if (functionName === '(idle)') return 'idle'
  if (functionName === '(garbage collector)') return 'garbage collection'
  return /\/src\/([^/]+)\//.exec(url)?.[1] ?? 'Node and packages'
}
