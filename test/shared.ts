/**
 * What all files of a pool share: a PostgreSQL server, a browser. The first file that asks starts
 * it, and it ends with the pool. Of a file that is run by itself it ends when the file releases it.
 */
const IN_POOL = process.argv[1]?.endsWith('pool.ts') === true
const ends: (() => Promise<void>)[] = []

export type Shared<Thing> = { thing: Thing; release(): Promise<void> }

/** A function that starts something once, and `end` stops it. */
export function shareable<Thing>(
  start: () => Promise<Thing>,
  end: (thing: Thing) => Promise<void>,
): () => Promise<Shared<Thing>> {
  let started: Promise<Thing> | undefined
  return async () => {
    if (started === undefined) {
      started = start()
      if (IN_POOL) ends.push(async () => end(await (started as Promise<Thing>)))
    }
    const thing = await started
    return { thing, release: async () => (IN_POOL ? undefined : end(thing)) }
  }
}

/** For `pool.ts`: ends everything. */
export async function endShared(): Promise<void> {
  await Promise.allSettled(ends.map((end) => end()))
}
