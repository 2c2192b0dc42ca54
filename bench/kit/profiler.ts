/** Sums of profiles of Node's inspector. */
import type { Profiler } from 'node:inspector'
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
