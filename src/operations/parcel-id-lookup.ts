/** `GET /public/property/parcelId/`: a parcel by county and ID. docs/decisions/lookups.md. */
import { refuse } from '../base/errors.ts'
import { foldParcelId, stripParcelId } from '../base/fold.ts'
import { countyByFips } from '../regions/counties.ts'
import { describeParcel, explainUnknownCounty, showExplained } from './explain/explain-address.ts'
import { explainParcelId, type TriedIds } from './explain/explain-parcel-id.ts'
import type { FoundParcel, TriedForms } from './find/find-parcel.ts'
import { findSubject, needSubject, SUBJECT, type Subject } from './find/subject.ts'
import {
  defineOperation,
  describeMatch,
  type Reply,
  type RequestContext,
  showProperty,
} from './operation.ts'
import { FIELDS, param } from './shared-parameters.ts'
import { AS_OF } from './time/as-of.ts'

export const parcelIdLookup = defineOperation({
  operationId: 'parcelIdLookup',
  path: '/public/property/parcelId/',
  parameters: { ...SUBJECT, fields: FIELDS, asOf: AS_OF, explain: param.flag },
  answers: 'property',
  check(values) {
    const subject = needSubject(values, 'state')
    return { subject, explain: values.explain }
  },
  find: (query, context) => showSubject(query, context, 'Property not found'),
})

/** Shows the requested parcel. `notFound`: the text of a 404. */
export function showSubject(
  { subject, explain }: { subject: Subject; explain: boolean },
  context: RequestContext,
  notFound: string,
): Promise<Reply> {
  const show = () => answer(subject, explain, context, notFound)
  return explain ? context.queueSearch(show) : show()
}

async function answer(
  subject: Subject,
  explain: boolean,
  context: RequestContext,
  notFound: string,
): Promise<Reply> {
  const { parcels, layout } = context
  const tried: TriedForms | undefined = explain ? { alike: [] } : undefined
  const found = await findSubject(subject, parcels, tried)
  const details = tried && { explain: explainTried(subject, tried, found) }
  if (found === undefined) throw refuse.notFound(notFound, {}, details)
  const headers = describeMatch(found.match, found.count)
  if (details === undefined) return showProperty(found.parcel, layout, headers)
  return showExplained(found.parcel, headers, details.explain, context)
}

function explainTried(
  subject: Subject,
  { alike, others, heirs }: TriedForms,
  found: FoundParcel | undefined,
): object {
  if (subject.kind === 'no county') return explainUnknownCounty(subject.state, subject.county)
  if (subject.kind === 'none') {
    const why = 'The text is not a property ID, or is in another state or county than the given one'
    return { words: [`${why}, so nothing was searched.`, 'Answer: none.'] }
  }
  const [fips, asked] =
    subject.kind === 'property'
      ? [subject.id.fips, subject.id.rest]
      : [subject.fips, subject.parcelId]
  const tried: TriedIds = {
    asked,
    county: countyByFips(fips)?.name ?? '',
    exact: foldParcelId(asked),
    stripped: stripParcelId(asked),
    alike: alike.map((parcel) => ({ name: describeParcel(parcel), parcelKey: parcel.parcelKey })),
    alternates: others?.map(describeParcel),
    heirs: heirs?.map(describeParcel),
    answer: found && describeParcel(found.parcel),
  }
  return explainParcelId(tried)
}
