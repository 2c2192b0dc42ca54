/** Watches over kills of processes; the whole table is in `watches-die.long.test.ts`. */
import { after, test } from 'node:test'
import { endAll } from '../ledger/running-service.ts'
import { killAt } from './watch-kills.ts'

after(endAll)

test('no event is lost when the notifier dies after an import has begun', () =>
  killAt('notifier', 300))

test('no event is lost when the whole service dies while a delivery is not answered', () =>
  killAt('primary', 'delivery'))
