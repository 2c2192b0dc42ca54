/** Ten invented rolls of a county, one a year, and all that a service says of them. */
import type { TestService } from '../../service.ts'

export const HEAD =
  'state,county,parcelId,ownerName1,nameOrder,address,sourceRollYear,totalAssessedValue\n'
export const YEARS = [2016, 2017, 2018, 2019, 2020, 2021, 2022, 2023, 2024, 2025]
/** The fates of parcels repeat after 30, a multiple of the 10, 5 and 3 below. */
const PARCELS = 30
const OWNERS = ['ROE, JO', 'DOE, ANN', 'HARLOW, PAUL']

/** Parcels are sold, revalued, removed, added and brought back in their own years. */
export const rollOf = (year: number) =>
  HEAD +
  Array.from({ length: PARCELS }, (_, id) => {
    const isThere = id % 10 !== 0 || (year * 7 + id) % 3 !== 0
    const owner = OWNERS[(Math.floor((year - 2016) / (2 + (id % 5))) + id) % 3]
    const value = 1000 + Math.floor((year - 2016 + id) / 3)
    const street = id === 7 && year > 2020 ? 'ELM ST' : 'OAK ST'
    return isThere ? `WI,Dane,${id},"${owner}",last-first,${id} ${street},${year},${value}\n` : ''
  }).join('')

export const dayOf = (year: number) => Date.UTC(year, 0, 1) / 86_400_000
export const loadYear = (service: TestService, year: number) =>
  service.importRoll(rollOf(year), {
    force: true,
    versions: { keep: null, vintage: dayOf(year) },
    at: Date.UTC(2026, 0, 1),
  })

/** Every history, without numbers of imports, and what each year had. */
export async function readAll(service: TestService) {
  const all: unknown[] = []
  for (let id = 0; id < PARCELS; id += 1) {
    const query = { propertyId: `55025-${id}`, records: 'true' }
    const { text } = await service.get('/public/property/history/', query)
    all.push(text.replaceAll(/"(?:import":\d+|(?:id|lastUpdated|loadedAt)":"[^"]*")/g, ''))
  }
  for (const year of YEARS) {
    const query = { state: 'WI', county: 'Dane', asOf: `${year}-06-01`, limit: 100, cursor: '' }
    const { body } = await service.get('/public/property/search/', query)
    const properties: { parcelId: string }[] = body.properties ?? []
    all.push(properties.map(({ parcelId }) => parcelId).toSorted())
  }
  return all
}
