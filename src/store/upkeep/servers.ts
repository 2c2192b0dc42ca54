/** PostgreSQL servers and nodes of Citus, for the commands that check and distribute them. */
export type { Cluster } from '../postgres/check/cluster.ts'
export { proposeMoves } from '../postgres/check/moves.ts'
export {
  checkRolls,
  type RollPlace,
  readClusterAt,
  readLastParcelId,
} from '../postgres/check/rolls.ts'
export { layOutOverCitus } from '../postgres/citus.ts'
export { describeServer } from '../postgres/pool/connection.ts'
export { ensureSchema } from '../postgres/schema.ts'
