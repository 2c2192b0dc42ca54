import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { readConfig } from '../../src/settings/read-config.ts'
import { openAccounts } from '../../src/store/open.ts'
import { createAfterWriter } from '../../src/store/rolls/after-writer.ts'
import { openDatabase } from '../../src/store/sqlite/connection.ts'
import { openParcelReader } from '../../src/store/sqlite/read/parcels.ts'
import { openRollSql } from '../../src/store/sqlite/roll-sql.ts'
import { openRollRewriter } from '../../src/store/sqlite/write/roll-rewrite.ts'
import { openRollWriter } from '../../src/store/sqlite/write/roll-writer.ts'
import { IS_LONG } from '../repetitions.ts'
import { testBilling } from './billing-suite.ts'
import { type StoreUnderTest, testStore } from './conformance.ts'
import { testWatches } from './watch-suite.ts'

/** A quarter of the generated rolls and areas in `npm test`. */
const SHARE = IS_LONG ? 1 : 0.25

async function open(): Promise<StoreUnderTest> {
  const data = mkdtempSync(join(tmpdir(), 'platbook-store-'))
  const db = openDatabase(join(data, 'parcels.db'), {
    kind: 'parcels',
    synchronous: 'NORMAL',
  })
  return {
    reader: openParcelReader(db),
    async load(parcels, removeAbsent = true) {
      // Reads of this turn hold a snapshot until its end, and the import would wait for it in vain.
      await new Promise(setImmediate)
      const writer = openRollWriter(data, 1_750_000_000)
      await writer.stage(parcels)
      await writer.compare({ partial: !removeAbsent })
      const { change } = await writer.apply()
      await writer.discard()
      return change
    },
    rewriter: async () => openRollRewriter(join(data, 'parcels.db')),
    async saleTests() {
      const own = openDatabase(join(data, 'parcels.db'), { kind: 'parcels', synchronous: 'NORMAL' })
      return { ...createAfterWriter(openRollSql(own)), close: async () => own.close() }
    },
    async close() {
      db.close()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

testStore('sqlite', open, SHARE)

const accountsFolder = mkdtempSync(join(tmpdir(), 'platbook-billing-store-'))
testBilling('sqlite', () => openAccounts(readConfig({ PLATBOOK_DATA: accountsFolder })))
testWatches('sqlite', () => openAccounts(readConfig({ PLATBOOK_DATA: accountsFolder })))
after(() => rmSync(accountsFolder, { recursive: true, force: true }))
