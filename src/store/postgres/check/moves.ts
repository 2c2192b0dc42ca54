/** Proposes where the shards of a cluster should lie, by their size. Pure. */
import { SCHEMA } from '../pool/connection.ts'
import type { Cluster, ClusterNode, ShardGroup } from './cluster.ts'

/**
 * `load`: bytes of the fullest node, as a multiple of what each would hold if all held the same.
 */
type Proposal = {
  load: number
  /** The same after all that is proposed. */
  after: number
  /** States that get a shard of their own; done first. */
  isolate: string[]
  /** A state stands for the shard that it lies in. */
  moves: { state: string; from: ClusterNode; to: ClusterNode; bytes: number }[]
  /** All of it as statements for the coordinator, in their order. */
  statements: string[]
}

/** What lies together and moves as one. `states`: the largest first. */
type Piece = { states: string[]; bytes: number; node: number }

/**
 * A piece with several states is split where it is larger than this share of a node's even part.
 */
const PIECE_SHARE = 0.25

/** A move has to lower the fullest node by this share of a node's even part. */
const GAIN_SHARE = 0.02

/**
 * Proposes which states to isolate and which shards to move, so that the nodes hold about the same
 * and little is moved. A state never lies on two nodes: the largest one bounds what can be reached.
 * Sizes of states that share a shard are taken by their parcels. The sizes are all known.
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
  // One that is moved again goes there at once.
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

/** The pieces as they are after all isolations. */
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

/** The move from the fullest node to the emptiest one that brings the two nearest to each other. */
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
