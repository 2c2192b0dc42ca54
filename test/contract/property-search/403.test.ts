/** `GET /public/property/search/` answers 403: docs/api.md, docs/accounts.md. */
import { after } from 'node:test'
import { startService } from '../../service.ts'
import { promiseGate } from '../promises.ts'
import { PATH, SEARCHED } from './roll.ts'

const service = await startService(SEARCHED)
after(() => service.close())

promiseGate(service, { path: PATH, query: { state: 'WI' }, tokenCost: 0 })
