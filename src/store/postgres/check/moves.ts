/** Proposes how to distribute a cluster's shards over its nodes by size. Pure. */
import { SCHEMA } from '../pool/connection.ts'
import type { Cluster, ClusterNode, ShardGroup } from './cluster.ts'

/** `load`: bytes of the fullest node, as a multiple of the average. */
type Proposal = {
  load: number
  after: number
  /** States that get a separate shard; done first. */
  isolate: string[]
  /** A state denotes its shard. */
  moves: { state: string; from: ClusterNode; to: ClusterNode; bytes: number }[]
  /** The proposal as statements for the coordinator, in order. */
  statements: string[]
}

/** Shards that move together. `states`: the largest first. */
type Piece = { states: string[]; bytes: number; node: number }

/** A piece of several states is split when it is larger than this share of a node's average. */
const PIECE_SHARE = 0.25

/** A move must lower the fullest node by this share of a node's average. */
const GAIN_SHARE = 0.02

/**
 * Proposes which states to isolate and which shards to move, so that the nodes hold similar amounts
 * and little is moved. A state is never on two nodes, so the largest state limits the result. The
 * sizes of states in one shard are estimated from their parcels. All sizes must be known.
 */
export function proposeMoves({ nodes, groups }: Cluster): Proposal {
  const held = groups.filter(({ states }) => states.length > 0)
  const even = sum(held.map(({ bytes }) => bytes ?? 0)) / Math.max(1, nodes.length)
  const load = (pieces: Piece[]) => (even === 0 ? 1 : Math.max(...weigh(pieces, nodes)) / even)
  const { pieces, isolate } = splitPieces(held, nodes, even)
  const before = load(pieces)
  const moves: Proposal['moves'] = []
  for (let move = findMove(pieces, nodes, even); move; move = findMove(pieces, nodes, even)) {
    const { piece, to } = move
    moves.push({
      state: piece.states[0] as string,
      from: nodes[piece.node] as ClusterNode,
      to: nodes[to] as ClusterNode,
      bytes: piece.bytes,
    })
    piece.node = to
  }
  // A shard that would move twice goes directly to its last node.
  const once = moves.filter(({ state }, at) => moves.findLastIndex((m) => m.state === state) === at)
  const first = (state: string) => moves.find((move) => move.state === state)
  const direct = once
    .map((move) => ({ ...move, from: first(move.state)?.from ?? move.from }))
    .filter(({ from, to }) => from !== to)
  return {
    load: before,
    after: load(pieces),
    isolate,
    moves: direct,
    statements: [...isolate.map(isolating), ...direct.map(moving)],
  }
}

function splitPieces(groups: ShardGroup[], nodes: ClusterNode[], even: number) {
  const isolate: string[] = []
  const pieces = groups.flatMap(({ host, port, bytes, states }): Piece[] => {
    const node = nodes.findIndex((one) => one.host === host && one.port === port)
    const parcels = sum(states.map((one) => one.parcels))
    const share = (one: number) => ((bytes ?? 0) * one) / Math.max(1, parcels)
    const rest = [...states].sort((one, other) => other.parcels - one.parcels)
    const apart: Piece[] = []
    while (rest.length > 1 && share(sum(rest.map((one) => one.parcels))) > even * PIECE_SHARE) {
      const { state, parcels: own } = rest.shift() as (typeof rest)[number]
      isolate.push(state)
      apart.push({ states: [state], bytes: share(own), node })
    }
    const together = share(sum(rest.map((one) => one.parcels)))
    return [...apart, { states: rest.map(({ state }) => state), bytes: together, node }]
  })
  return { pieces, isolate }
}

function findMove(pieces: Piece[], nodes: ClusterNode[], even: number) {
  const weights = weigh(pieces, nodes)
  const from = weights.indexOf(Math.max(...weights))
  const to = weights.indexOf(Math.min(...weights))
  const gap = (weights[from] ?? 0) - (weights[to] ?? 0)
  const left = ({ bytes }: Piece) =>
    Math.max((weights[from] ?? 0) - bytes, (weights[to] ?? 0) + bytes)
  const best = pieces
    .filter(({ node, bytes }) => node === from && bytes < gap)
    .sort((one, other) => left(one) - left(other))[0]
  if (best === undefined || (weights[from] ?? 0) - left(best) < even * GAIN_SHARE) return undefined
  return { piece: best, to }
}

function weigh(pieces: Piece[], nodes: ClusterNode[]): number[] {
  return nodes.map((_, at) => sum(pieces.filter(({ node }) => node === at).map((one) => one.bytes)))
}

function isolating(state: string): string {
  const shard = `'${SCHEMA}.parcels', '${state}'`
  return `SELECT isolate_tenant_to_new_shard(${shard}, 'CASCADE', 'block_writes');`
}

function moving({ state, from, to }: Proposal['moves'][number]): string {
  const shard = `get_shard_id_for_distribution_column('${SCHEMA}.parcels', '${state}')`
  const places = [from, to].map(({ host, port }) => `'${host.replaceAll("'", "''")}', ${port}`)
  return `SELECT citus_move_shard_placement(${shard}, ${places.join(', ')});`
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
