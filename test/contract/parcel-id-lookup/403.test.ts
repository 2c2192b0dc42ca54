/** `GET /public/property/parcelId/` answers 403: docs/api.md, docs/accounts.md. */
import { after } from 'node:test'
import { startService } from '../../service.ts'
import { promiseGate } from '../promises.ts'
import { PARCELS, PATH } from './roll.ts'

const service = await startService(PARCELS)
after(() => service.close())

const query = { state: 'WI', county: 'Dane', parcelId: '12-34' }
promiseGate(service, { path: PATH, query, tokenCost: 0 })
