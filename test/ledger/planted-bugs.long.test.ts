/**
 * Small mutations of the program, each of which a check of the ledger's promises must catch.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { operate } from '../processes/operator.ts'
import {
  type Change,
  checkCap,
  checkFree,
  checkPowerLoss,
  checkRunning,
  plantBug,
} from './promises.ts'
import { endAll } from './running-service.ts'

type Bug = {
  name: string
  changes: Change[]
  check: (root: string, data: string) => Promise<void>
  /** The message of the check that detects the bug. */
  says: RegExp
}

const checkPower = (root: string, data: string) => checkPowerLoss(root, data, 40)
const RECHECK = 'const code = gate(state.facts, head, first === undefined ? cost : 0, at)'

const BUGS: Bug[] = [
  {
    name: 'the charge is made after the answer was sent',
    changes: [
      {
        file: 'src/accounts/token-meter.ts',
        from: 'const outcome = await ledger.charge({',
        to: `const outcome =
            { kind: 'charged', remaining: null, code: undefined, reason: '' } as any
          void ledger.charge({`,
      },
    ],
    check: (root, data) => checkRunning(root, data, checkCap),
    says: /answers/,
  },
  {
    name: 'the cap is read once and written many times',
    changes: [
      {
        file: 'src/ledger/settle.ts',
        from: RECHECK,
        to: 'const code = gate(state.facts, state.head, cost, at)',
      },
    ],
    check: (root, data) => checkRunning(root, data, checkCap),
    says: /answers/,
  },
  {
    name: 'the cap is not checked again at the charge',
    changes: [{ file: 'src/ledger/settle.ts', from: RECHECK, to: 'const code = undefined as any' }],
    check: (root, data) => checkRunning(root, data, checkCap),
    says: /answers/,
  },
  {
    name: 'the database is not synced at a commit',
    changes: [
      {
        file: 'src/store/open.ts',
        from: "openDatabase(place, { kind: 'accounts', synchronous: 'FULL' })",
        to: "openDatabase(place, { kind: 'accounts', synchronous: 'NORMAL' })",
      },
    ],
    check: checkPower,
    says: /answers lost their charge/,
  },
  {
    name: 'charges are kept in memory and written a little later',
    changes: [
      {
        file: 'src/ledger/writer.ts',
        from: 'const outcomes = await writeGroup(group.map(({ charge }) => charge))',
        to: `const outcomes =
            group.map(() => ({ kind: 'charged', used: 1, remaining: null }) as const)
          setTimeout(() => writeGroup(group.map(({ charge }) => charge)), 20)`,
      },
    ],
    check: checkPower,
    says: /answers lost their charge/,
  },
  {
    name: 'HEAD is billed',
    changes: [
      {
        file: 'src/http/framework.ts',
        from: 'exposeHeadRoutes: false',
        to: 'exposeHeadRoutes: true',
      },
    ],
    check: (root, data) => checkRunning(root, data, checkFree),
    says: /200/,
  },
]

describe('planted bugs are caught', () => {
  const base = mkdtempSync(join(tmpdir(), 'platbook-planted-'))
  before(() => operate(join(base, 'data'), 'sample', '--parcels', '2000'))
  after(endAll)
  after(() => rmSync(base, { recursive: true }))

  for (const [index, { name, changes, check, says }] of BUGS.entries()) {
    test(name, async () => {
      const root = plantBug(join(base, String(index)), changes)
      await assert.rejects(check(root, join(base, 'data')), says)
    })
  }
})
