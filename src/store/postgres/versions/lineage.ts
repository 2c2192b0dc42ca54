/** Writes links between parcels before a roll and after it. */
import type { Client } from 'pg'
import type { RollScope } from '../../history.ts'
import { RollLinker } from '../../lineage/link-rolls.ts'
import { pairAt } from '../../versions/splice.ts'
import type { Vintage } from '../../versions/versions.ts'
import { copyIn } from '../write/copy-in.ts'
import { readChains } from './chains.ts'

type Place = Pick<Vintage, 'day' | 'import'>

/** Parcels read at a time. */
const BATCH = 2000

/** Writes the links that a roll of a scope makes. */
export async function writeLinks(
  client: Client,
  { state, fips, municipality }: RollScope,
  { day, import: importId }: Place,
  linker: RollLinker,
): Promise<void> {
  const rows = linker
    .link()
    .map(({ parent, child, kind, ...link }) => [
      ...[state, parent, child, day, importId, fips, municipality, kind],
      ...[link.shareOfParent, link.shareOfChild, link.evidence],
    ])
  if (rows.length > 0) await copyIn(client, 'lineage', rows)
}

/** Links the parcels of a scope again, of which a roll has another one before or after it. */
export async function relinkRoll(client: Client, scope: RollScope, at: Place): Promise<void> {
  const { state, fips, municipality } = scope
  const where = 'state = $1 AND fips = $2 AND municipality = $3 AND day = $4 AND import = $5'
  const place = [state, fips, municipality, at.day, at.import]
  await client.query(`DELETE FROM lineage WHERE ${where}`, place)
  const text = `SELECT id FROM versions WHERE ${where} ORDER BY id`
  const { rows } = await client.query<{ id: string }>(text, place)
  const ids = rows.map(({ id }) => Number(id))
  const linker = new RollLinker()
  for (let from = 0; from < ids.length; from += BATCH) {
    const slice = ids.slice(from, from + BATCH)
    const chains = await readChains(client, state, slice)
    for (const id of slice) linker.add(pairAt({ id, ...chains(id) }, at))
  }
  await writeLinks(client, scope, at, linker)
}
