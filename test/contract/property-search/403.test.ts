/** `GET /public/property/search/` answers 403: contract parts 2.6 and 7, accounts.md. */
import { after } from 'node:test'
import { startService } from '../../service.ts'
import { promiseGate } from '../promises.ts'
import { PATH, SEARCHED } from './roll.ts'

const service = await startService(SEARCHED)
after(() => service.close())

promiseGate(service, { path: PATH, query: { state: 'WI' }, tokenCost: 0 })
