/** Kills of every process at the steps of an import and of a delivery. */
import { after, test } from 'node:test'
import { endAll } from '../ledger/running-service.ts'
import { killAt, type Moment, type Victim } from './watch-kills.ts'

after(endAll)

const MOMENTS: Moment[] = [100, 400, 700, 1000, 1400, 2000, 3000, 'delivery']
const VICTIMS: Victim[] = ['notifier', 'worker', 'ledger', 'primary', 'import']

for (const victim of VICTIMS) {
  for (const moment of MOMENTS) {
    test(`the ${victim} is killed at ${moment}`, () => killAt(victim, moment))
  }
}
