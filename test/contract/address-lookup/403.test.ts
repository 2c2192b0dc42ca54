/** `GET /public/property/address/` answers 403: docs/api.md, docs/accounts.md. */
import { after } from 'node:test'
import { startService } from '../../service.ts'
import { promiseGate } from '../promises.ts'
import { ADDRESSES, PATH } from './roll.ts'

const service = await startService(ADDRESSES)
after(() => service.close())

promiseGate(service, { path: PATH, query: { state: 'WI', address: '100 Main St' }, tokenCost: 0 })
