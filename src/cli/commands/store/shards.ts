/** `platbook shards`: distributes the rolls over Citus, and proposes how to balance its nodes. */
import { CommandError } from '../../../base/errors.ts'
import type { Cluster } from '../../../store/postgres/check/cluster.ts'
import { proposeMoves } from '../../../store/postgres/check/moves.ts'
import { readClusterAt } from '../../../store/postgres/check/rolls.ts'
import { layOutOverCitus } from '../../../store/postgres/citus.ts'
import { ensureSchema } from '../../../store/postgres/schema.ts'
import { command } from '../../command.ts'
import { formatTable, printResult } from '../../table.ts'

export const shardsCommand = command('shards', async ({ values }, io) => {
  const { databaseUrl } = io.config
  if (databaseUrl === null) throw new CommandError('shards needs --database: the coordinator', 2)
  if (values.distribute === true) {
    await ensureSchema(databaseUrl)
    await layOutOverCitus(databaseUrl)
  }
  const cluster = await readClusterAt(databaseUrl)
  const lost = cluster.nodes.find(({ isReached }) => !isReached)
  if (lost !== undefined) {
    throw new CommandError(
      `the node ${lost.host}:${lost.port} cannot be reached; sizes are told by the nodes`,
    )
  }
  const proposal = proposeMoves(cluster)
  const { load, after, statements } = proposal
  const moves = [`after what follows, in this order, ${after.toFixed(2)} times:`, ...statements]
  printResult(io, { ...cluster, ...proposal }, [
    ...describeCluster(cluster),
    `the fullest node holds ${load.toFixed(2)} times its even share`,
    ...(statements.length === 0 ? [] : moves),
  ])
})

function describeCluster({ nodes, groups }: Cluster): string[] {
  const rows = nodes.flatMap(({ host, port }) => {
    const own = groups.filter((group) => group.host === host && group.port === port)
    const held = own.filter(({ states }) => states.length > 0)
    held.sort((one, other) => (other.bytes ?? 0) - (one.bytes ?? 0))
    if (held.length === 0) return [[`${host}:${port}`, '-', '0', '0.0 MB', '']]
    return held.map(({ id, bytes, states }) => [
      `${host}:${port}`,
      String(id),
      states.reduce((sum, { parcels }) => sum + parcels, 0).toLocaleString('en-US'),
      `${((bytes ?? 0) / 1e6).toFixed(1)} MB`,
      states.map(({ state }) => state).join(' '),
    ])
  })
  return formatTable(['node', 'shard', 'parcels', 'size', 'states'], rows, [
    ...['shard', 'parcels', 'size'],
  ])
}
