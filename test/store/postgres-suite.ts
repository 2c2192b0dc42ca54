/** The conformance suite over one database on PostgreSQL, which it empties again and again. */
import { after } from 'node:test'
import { Client } from 'pg'
import { openParcelReader } from '../../src/store/postgres/read/parcels.ts'
import { openRollRewriter } from '../../src/store/postgres/write/roll-rewrite.ts'
import { openRollWriter } from '../../src/store/postgres/write/roll-writer.ts'
import { testStore } from './conformance.ts'

const TABLES = [
  ...['imports', 'import_scopes', 'import_images'],
  ...['parcels', 'records', 'geometries', 'alternate_ids', 'situs'],
  ...['loose_situs', 'owner_heads', 'owner_words', 'owner_deletions', 'scopes'],
  ...['shapes', 'point_counts', 'changes', 'change_heads', 'sale_tests', 'qualities'],
  ...['facts', 'versions', 'past_keys', 'vintages', 'lineage', 'origins', 'origin_imports'],
  'kept_rows',
]

/** Removes all rolls. `TRUNCATE` would make a new file for each of hundreds of indexes. */
export const EMPTY = [
  'ALTER SEQUENCE platbook.parcel_ids RESTART',
  ...TABLES.map((table) => `DELETE FROM platbook.${table}`),
].join('; ')

/** `share`: of the usual number of generated rolls. */
export async function testDatabase(name: string, url: string, share = 0.2): Promise<void> {
  const admin = new Client(url)
  await admin.connect()
  const reader = openParcelReader(url)
  after(async () => {
    await reader.close()
    await admin.end()
  })
  testStore(
    name,
    async () => {
      await admin.query(EMPTY)
      return {
        reader,
        async load(parcels, removeAbsent = true) {
          const writer = await openRollWriter(url, { loadedAt: 1_750_000_000 })
          await writer.stage(parcels)
          await writer.compare({ partial: !removeAbsent })
          const { change } = await writer.apply()
          await writer.discard()
          return change
        },
        rewriter: () => openRollRewriter(url),
        async saleTests() {
          const writer = await openRollWriter(url, { loadedAt: 1_750_000_000 })
          return { ...writer.after, close: async () => writer.discard() }
        },
        async close() {},
      }
    },
    share,
  )
}
