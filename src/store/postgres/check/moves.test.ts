import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { repetitions } from '../../../../test/repetitions.ts'
import type { Cluster } from './cluster.ts'
import { proposeMoves } from './moves.ts'

/** Parcels of invented states, in ten thousands, with a realistic distribution. */
const SIZES = [
  ...[1380, 1260, 1030, 820, 640, 590, 580, 560, 550, 480, 470, 430, 420, 410, 380, 370, 340, 330],
  ...[330, 300, 280, 270, 260, 260, 250, 240, 230, 210, 190, 180, 170, 160, 150, 120, 110, 100, 90],
  ...[80, 75, 70, 65, 60, 60, 55, 55, 50, 45, 40, 35, 30, 20],
]
const CODES = SIZES.map((_, at) => String.fromCharCode(65 + Math.floor(at / 26), 65 + (at % 26)))

/** A cluster whose shards are assigned to its nodes in turn. `shardOf`: the shard of each state. */
function makeCluster(nodes: number, shards: number, shardOf: (state: number) => number): Cluster {
  const places = Array.from({ length: nodes }, (_, at) => ({ host: `w${at}`, port: 5432 }))
  const groups = Array.from({ length: shards }, (_, at) => {
    const states = CODES.flatMap((state, index) =>
      shardOf(index) === at ? [{ state, parcels: SIZES[index] as number }] : [],
    )
    const bytes = states.reduce((sum, { parcels }) => sum + parcels * 3000, 0)
    return { id: 100 + at, ...(places[at % nodes] as (typeof places)[number]), bytes, states }
  })
  return { nodes: places.map((place) => ({ ...place, isReached: true })), groups }
}

test('large states in one shard are isolated, and nodes are balanced within a tenth', () => {
  const cluster = makeCluster(4, 16, (state) => (state * 7) % 16)
  const { load, after, isolate, moves, statements } = proposeMoves(cluster)
  assert.ok(load > after, `${load} ${after}`)
  assert.ok(after < 1.1, String(after))
  assert.ok(isolate.includes('AA'))
  assert.equal(statements.length, isolate.length + moves.length)
  assert.match(
    statements[0] ?? '',
    /isolate_tenant_to_new_shard\('platbook.parcels', '[A-Z]{2}', 'CASCADE', 'block_writes'\)/,
  )
  assert.match(
    statements.at(-1) ?? '',
    /citus_move_shard_placement\(get_shard_id_for.*'w\d', 5432, 'w\d', 5432\)/,
  )
})

test('a balanced cluster stays as it is', () => {
  const even = makeCluster(2, 2, (state) => state % 2)
  for (const group of even.groups) group.bytes = 1000
  const states = even.groups.map(({ states }) => states[0] as { state: string; parcels: number })
  even.groups.forEach((group, at) => {
    group.states = [states[at] as (typeof states)[number]]
  })
  assert.deepEqual(proposeMoves(even), {
    load: 1,
    after: 1,
    isolate: [],
    moves: [],
    statements: [],
  })
  assert.equal(proposeMoves({ nodes: even.nodes, groups: [] }).after, 1)
})

test('no proposal makes the fullest node fuller, and no state is moved twice', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.array(fc.integer({ min: 0, max: 31 }), {
        minLength: SIZES.length,
        maxLength: SIZES.length,
      }),
      (nodes, shardOf) => {
        const { load, after, moves } = proposeMoves(
          makeCluster(nodes, 32, (state) => shardOf[state] as number),
        )
        assert.ok(after <= load + 1e-9, `${load} ${after}`)
        const moved = moves.map(({ state }) => state)
        assert.equal(new Set(moved).size, moved.length)
      },
    ),
    { numRuns: repetitions(20) },
  )
})
