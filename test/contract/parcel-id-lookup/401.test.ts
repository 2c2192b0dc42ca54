/** `GET /public/property/parcelId/` answers 401: docs/decisions/http-interface.md. */
import { after } from 'node:test'
import { startService } from '../../service.ts'
import { promiseKeys } from '../promises.ts'
import { PARCELS, PATH } from './roll.ts'

const service = await startService(PARCELS)
after(() => service.close())

const query = { state: 'WI', county: 'Dane', parcelId: '12-34' }
promiseKeys(service, { path: PATH, query, tokenCost: 0 })
