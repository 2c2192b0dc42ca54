/**
 * `platbook migrate`: migrates a store to this program's version, and distributes it over a Citus
 * cluster.
 */

import { CommandError } from '../../../base/errors.ts'
import type { Config } from '../../../settings/config.ts'
import { makeFolder, pathsIn } from '../../../store/data-folder.ts'
import { stateUrls } from '../../../store/postgres/by-state/bring-up.ts'
import { bringHome, layOutOverCitus } from '../../../store/postgres/citus.ts'
import { migrate } from '../../../store/postgres/migrate.ts'
import { describeServer } from '../../../store/postgres/pool/connection.ts'
import { type DatabaseKind, openDatabase } from '../../../store/sqlite/connection.ts'
import { refuseMore } from '../../accounts-data.ts'
import type { Command } from '../../command.ts'

/** `migrate`: migrates a PostgreSQL database to this version. */
export const migrateCommand: Command = {
  name: 'migrate',
  usage: '[--citus]',
  summary:
    'applies pending migrations, as every start does; --citus distributes the store over a cluster',
  example:
    'platbook migrate --database postgres://platbook@db.example:5432/platbook\n' +
    'platbook migrate --citus --database ' +
    'postgres://platbook@coordinator.example:5432/platbook',
  options: { citus: { type: 'boolean' } },
  about: {
    citus: 'lays the tables out over the nodes of a Citus cluster; its coordinator is the database',
  },
  more: `Several may run at once, and beside a service. --citus needs the extension in the
database and its worker nodes added. It distributes the rolls by state and leaves accounts and the
ledger on the coordinator. It moves existing rows: run it before much is loaded, or while nothing
serves.`,
  async run({ positionals, values }, io) {
    refuseMore(positionals, 0, 'migrate [--citus]')
    const coordinator = values.citus === true ? findCoordinator(io.config) : undefined
    if (coordinator !== undefined) await bringHome(coordinator)
    const databases = await migrateData(io.config)
    const placed = coordinator === undefined ? undefined : await layOutOverCitus(coordinator)
    if (io.json) {
      io.print(JSON.stringify({ databases, ...(placed && { placed }) }))
      return
    }
    for (const { name, version } of databases) io.print(`${name} is at version ${version}`)
    if (placed === undefined) return
    io.print(
      placed.length === 0 ? 'all tables were laid out before' : `laid out: ${placed.join(', ')}`,
    )
  },
}

/**
 * Migrates existing databases, or a new store, to this program's version. Returns each database
 * with its version.
 */
async function migrateData(config: Config): Promise<{ name: string; version: number }[]> {
  const { databaseUrl, data } = config
  if (databaseUrl !== null) {
    const versions: { name: string; version: number }[] = []
    for (const url of [databaseUrl, ...stateUrls(config)]) {
      versions.push({ name: describeServer(url), version: await migrate(url) })
    }
    return versions
  }
  makeFolder(data)
  const { parcels, accounts } = pathsIn(data)
  return [
    { name: parcels, version: bringUp(parcels, 'parcels') },
    { name: accounts, version: bringUp(accounts, 'accounts') },
  ]
}

function findCoordinator({ databaseUrl }: Config): string {
  if (databaseUrl === null) throw new CommandError('--citus needs --database: the coordinator', 2)
  return databaseUrl
}

function bringUp(path: string, migrations: DatabaseKind): number {
  const db = openDatabase(path, { migrations, synchronous: 'FULL' })
  const row = db.prepare('PRAGMA user_version').get()
  db.close()
  return Number(row?.user_version)
}
