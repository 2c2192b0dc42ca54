/** `GET /public/quality/`: what is wrong in a county's roll, as its imports measured. */
import { refuse } from '../../base/errors.ts'
import {
  QUALITY_NAMES,
  QUALITY_PARTS,
  type ShownPart,
  type StoredQuality,
  scoreQuality,
} from '../../base/model/quality.ts'
import { answerOf, json } from '../../record/json-schema.ts'
import { countyByFips, findCounty, fipsCode } from '../../regions/counties.ts'
import type { CountyCoverage, ParcelReader } from '../../store/store.ts'
import { findByPropertyId, readPropertyId } from '../find/find-parcel.ts'
import { defineOperation } from '../operation.ts'
import { LOADED, requireStateWithCounty, roundTo } from '../places/place-parameters.ts'

/** Examples are looked up for at most this many counties of an answer. */
const EXAMPLE_COUNTIES_MAX = 20

const SCHEMA = answerOf('quality', {
  names: { type: 'string', enum: [...QUALITY_NAMES] },
  examples: json.texts(`propertyIds, at most 5; none for over ${EXAMPLE_COUNTIES_MAX} counties.`),
})

export const quality = defineOperation({
  operationId: 'quality',
  path: '/public/quality/',
  parameters: LOADED,
  answers: { schema: SCHEMA },
  check(values) {
    requireStateWithCounty(values)
    return values
  },
  find: ({ state, county }, context) =>
    context.queueSearch(async (pause) => {
      const { parcels, now } = context
      const fips = state && county ? findCounty(state, county)?.fips : undefined
      if (county !== undefined && fips === undefined)
        throw refuse.notFound('The county is not known')
      const scopes = await listQuality({ state, fips }, { parcels, now, pause })
      if (county !== undefined && scopes.length === 0)
        throw refuse.notFound('The county is not loaded')
      return { body: JSON.stringify({ scopes }), headers: {} }
    }),
})

type Asked = { state: string | undefined; fips: number | undefined }
type Reading = { parcels: ParcelReader; now: number; pause(): Promise<void> }

/** Returns the quality of the loaded counties that an import has measured. */
export async function listQuality({ state, fips }: Asked, { parcels, now, pause }: Reading) {
  const counties = (
    await parcels.coverage(state === undefined ? { partial: true } : { states: [state] })
  ).filter((one) => (!state || one.state === state) && (!fips || one.fips === fips))
  const withExamples = counties.length <= EXAMPLE_COUNTIES_MAX
  const scopes: ReturnType<typeof showCounty>[] = []
  for (const county of counties) {
    await pause()
    const texts = await parcels.qualities(county.state, county.fips)
    const measured = texts.map((text) => JSON.parse(text) as StoredQuality)
    const [newest] = measured
    if (newest === undefined) continue
    const { score, parts } = scoreQuality(newest, now)
    for (const part of parts) {
      part.examples = withExamples ? await keepShown(part.examples, parcels) : []
    }
    scopes.push(showCounty(county, measured, score, parts))
  }
  return scopes
}

/** Leaves out parcels that were suppressed or removed since they were measured. */
async function keepShown(examples: string[], parcels: ParcelReader): Promise<string[]> {
  const kept: string[] = []
  for (const example of examples) {
    const id = readPropertyId(example)
    if (id !== undefined && (await findByPropertyId(parcels, id)) !== undefined) kept.push(example)
  }
  return kept
}

function showCounty(
  { state, fips }: CountyCoverage,
  measured: readonly StoredQuality[],
  score: number,
  parts: ShownPart[],
) {
  const [{ parcels, rollYear, loadedAt }] = measured as [StoredQuality]
  return {
    ...{ state, county: countyByFips(fips)?.name ?? '', fips: fipsCode(fips) },
    ...{ parcels, rollYear, loadedAt: isoOf(loadedAt), score },
    faults: parts.filter(({ count }) => count > 0).map(({ name }) => name),
    parts: parts.map(({ name, share, ...part }) => ({
      ...{ name, about: QUALITY_PARTS[name].about },
      ...{ share: share === null ? null : roundTo(share, 4), ...part },
    })),
    course: measured.map((one) => ({
      loadedAt: isoOf(one.loadedAt),
      score: scoreQuality(one, one.loadedAt * 1000).score,
      parcels: one.parcels,
    })),
  }
}

function isoOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}
