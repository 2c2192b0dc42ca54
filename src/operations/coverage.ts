/** `GET /public/coverage/`: the loaded counties, and the share of parcels with each field. */
import { refuse } from '../base/errors.ts'
import { COVERAGE_COUNTS } from '../base/model/coverage.ts'
import { answerOf, type JsonSchema, json } from '../record/json-schema.ts'
import { countyByFips, findCounty, fipsCode } from '../regions/counties.ts'
import type { CountyCoverage } from '../store/store.ts'
import { showVintage, type Vintage } from '../store/versions/versions.ts'
import { defineOperation, replyWithEtag } from './operation.ts'
import { LOADED, requireStateWithCounty, roundTo } from './places/place-parameters.ts'

const SHARE: JsonSchema = json.object(
  Object.fromEntries(
    COVERAGE_COUNTS.map(({ name }) => [
      name,
      json.number(`Share of the parcels that has ${name}, 0 to 1.`),
    ]),
  ),
  'Share of the parcels that has each field, 0 to 1. building: year built or ' +
    'building area; value: assessed or market value; sale: date or price of the newest sale.',
)

export const coverage = defineOperation({
  operationId: 'coverage',
  path: '/public/coverage/',
  parameters: LOADED,
  answers: { schema: answerOf('coverage', { share: SHARE }) },
  refusals: [304, 400, 503],
  check(values) {
    requireStateWithCounty(values)
    return values
  },
  async find({ state, county }, context) {
    const { parcels } = context
    const version = await parcels.version()
    const listOut = () =>
      (state === undefined ? parcels.unreached() : []).flatMap(({ states }) => states).sort()
    const out = listOut()
    const etag = `"${['coverage', version, ...out].join('-')}"`
    return replyWithEtag(etag, context, async () => {
      const fips = state && county ? (findCounty(state, county)?.fips ?? 0) : undefined
      const asked = state === undefined ? { partial: true } : { states: [state] }
      const counties = (await parcels.coverage(asked))
        .filter((one) => state === undefined || one.state === state)
        .filter((one) => fips === undefined || one.fips === fips)
      // Reachability changed during the read, so the list does not belong to this ETag.
      if (listOut().join() !== out.join())
        throw refuse.unavailable('Service temporarily unavailable')
      const states = [...new Set(counties.map((one) => one.state))]
      const lists = await Promise.all(states.map((one) => parcels.vintages(one, fips)))
      const vintages = Map.groupBy(lists.flat().reverse(), (one) => one.fips)
      const body = {
        counties: counties.map((one) => showCounty(one, vintages.get(one.fips) ?? [])),
        totals: addUp(counties),
        ...(out.length > 0 && { unavailable: out }),
      }
      return { body: JSON.stringify(body), headers: {} }
    })
  },
})

function showCounty(one: CountyCoverage, vintages: Vintage[]) {
  return {
    state: one.state,
    county: countyByFips(one.fips)?.name ?? '',
    fips: fipsCode(one.fips),
    scope: 'county',
    parcels: one.parcels,
    rollYear: one.rollYear,
    loadedAt: new Date(one.loadedAt * 1000).toISOString(),
    bounds: one.bounds,
    vintages: vintages.map(showVintage),
    share: shareOf([one]),
  }
}

function addUp(counties: CountyCoverage[]) {
  return {
    states: new Set(counties.map(({ state }) => state)).size,
    counties: counties.length,
    parcels: countParcels(counties),
    share: shareOf(counties),
  }
}

function shareOf(counties: CountyCoverage[]): Record<string, number> {
  const parcels = countParcels(counties)
  const shares = COVERAGE_COUNTS.map(({ name }) => {
    const filled = counties.reduce((sum, one) => sum + one.filled[name], 0)
    return [name, parcels === 0 ? 0 : roundTo(filled / parcels, 4)]
  })
  return Object.fromEntries(shares)
}

export function countParcels(counties: readonly CountyCoverage[]): number {
  return counties.reduce((sum, { parcels }) => sum + parcels, 0)
}
