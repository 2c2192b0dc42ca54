/** `GET /public/coverage/`: the loaded counties, and the share of parcels with each field. */
import { refuse } from '../base/errors.ts'
import { COVERAGE_COUNTS } from '../base/model/coverage.ts'
import { type JsonSchema, json } from '../record/json-schema.ts'
import { countyByFips, findCounty } from '../regions/counties.ts'
import type { CountyCoverage } from '../store/store.ts'
import { showVintage, type Vintage } from '../store/versions/versions.ts'
import { defineOperation, replyWithEtag } from './operation.ts'
import { requireStateWithCounty, roundTo } from './places/place-parameters.ts'
import { COUNTY, STATE } from './shared-parameters.ts'

const SHARE: JsonSchema = {
  type: 'object',
  description:
    'Share of the parcels that has each field, 0 to 1. building: year built or ' +
    'building area; value: assessed or market value; sale: date or price of the newest sale.',
  properties: Object.fromEntries(
    COVERAGE_COUNTS.map(({ name }) => [
      name,
      json.number(`Share of the parcels that has ${name}, 0 to 1.`),
    ]),
  ),
  required: COVERAGE_COUNTS.map(({ name }) => name),
}

const COUNTY_SCHEMA: JsonSchema = json.object({
  state: json.text('Two letters.'),
  county: json.text('Name of the county, without the word County.'),
  fips: json.text('Five-digit county FIPS code.'),
  scope: json.oneOf(
    ['county'],
    'Scope of the numbers; rolls of municipalities are summed by county.',
  ),
  parcels: json.integer('Number of loaded parcels.'),
  rollYear: json.integerOrNull('Newest roll year; null: unknown.'),
  loadedAt: json.time('Newest change by an import.'),
  bounds: {
    type: ['array', 'null'],
    items: { type: 'number' },
    description: 'West, south, east and north of the parcel points, in WGS 84 degrees.',
  },
  vintages: json.list(
    json.object({
      date: json.text('Day of the roll, as `asOf` compares it.'),
      rollYear: json.integerOrNull('Year of the roll.'),
      municipality: json.textOrNull('Only where municipalities are rolls of their own; else null.'),
      source: json.textOrNull('Mapping of the import.'),
      loadedAt: json.time('When it was loaded.'),
    }),
    'The rolls of which versions are kept, the present one included; newest first.',
  ),
  share: SHARE,
})

const SCHEMA: JsonSchema = json.object(
  {
    counties: json.list(
      COUNTY_SCHEMA,
      'By state and county; one that is not loaded is not listed.',
    ),
    totals: json.object(
      {
        states: json.integer('Number of states with a loaded county.'),
        counties: json.integer('Number of loaded counties.'),
        parcels: json.integer('Number of loaded parcels.'),
        share: SHARE,
      },
      'Over all listed counties.',
    ),
    unavailable: json.texts(
      'States whose database cannot be reached now, so that their counties are not ' +
        'listed; left out where there are none.',
    ),
  },
  undefined,
  ['unavailable'],
)

export const coverage = defineOperation({
  operationId: 'coverage',
  path: '/public/coverage/',
  summary: 'Coverage',
  description:
    'The counties that are loaded: number of parcels, roll year, bounds, and the share ' +
    'of parcels that has each field. A county that is not loaded is not listed.',
  parameters: {
    state: { ...STATE, required: false },
    county: { ...COUNTY, about: `${COUNTY.about} Needs state.` },
  },
  tokenCost: 0,
  answers: { schema: SCHEMA },
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
    fips: String(one.fips).padStart(5, '0'),
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

function countParcels(counties: CountyCoverage[]): number {
  return counties.reduce((sum, { parcels }) => sum + parcels, 0)
}
