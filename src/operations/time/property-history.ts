/** `GET /public/property/history/`: the versions of a parcel, and what changed between them. */
import { refuse } from '../../base/errors.ts'
import { CHANGE_GROUPS } from '../../base/model/changes.ts'
import { didYouMean } from '../../base/nearest.ts'
import { answerOf } from '../../record/json-schema.ts'
import { STORED_FIELDS } from '../../record/parcel.ts'
import { renderParcel } from '../../render/render.ts'
import { showDay, type Vintage } from '../../store/versions/versions.ts'
import { asStored, listFieldChanges, type Version } from '../find/read-versions.ts'
import { needSubject, SUBJECT } from '../find/subject.ts'
import { findTimeline, type Timeline } from '../find/timeline.ts'
import { defineOperation, type RequestContext } from '../operation.ts'
import { param } from '../shared-parameters.ts'

export const propertyHistory = defineOperation({
  operationId: 'propertyHistory',
  path: '/public/property/history/',
  parameters: {
    ...SUBJECT,
    fields: param.text,
    records: param.flag,
  },
  tokenCost: 1,
  answers: { schema: answerOf('propertyHistory') },
  check(values) {
    const subject = needSubject(values)
    const fields = values.fields === undefined ? undefined : readFields(values.fields)
    return { subject, fields, records: values.records }
  },
  async find({ subject, fields, records }, context) {
    const timeline = await findTimeline(subject, context.parcels)
    if (timeline === undefined) throw refuse.notFound('Property not found')
    const { propertyId, versions, vintages } = timeline
    const [oldest] = vintages
    const body = {
      propertyId,
      versions: versions.map((one, at) => ({
        ...showVersion(one, versions[at + 1], timeline),
        ...(records && { record: showRecord(one, context) }),
      })),
      changes: versions.flatMap((one, at) => showChanges(one, versions[at + 1], timeline, fields)),
      metadata: { since: oldest === undefined ? null : showDay(oldest.day) },
    }
    const seen = versions.map(asStored).filter((one) => one !== undefined)
    return { body: JSON.stringify(body), headers: {}, seen }
  },
})

/** Names that may be asked for, also in the flat layout, with the names of changes. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ...STORED_FIELDS.map(([name, { flat }]): [string, string] => [flat ?? name, name]),
  ...[...STORED_FIELDS.map(([name]) => name), ...CHANGE_GROUPS].map((name): [string, string] => [
    name,
    name,
  ]),
])

function readFields(text: string): Set<string> {
  const names = text.split(',').map((one) => one.trim())
  return new Set(
    names.map((name) => {
      const found = NAMES.get(name)
      if (found !== undefined) return found
      const similar = didYouMean(name, [...NAMES.keys()])
      throw refuse.badRequest(`fields has no field or group ${name.slice(0, 60)}${similar}`)
    }),
  )
}

function rollOf({ began }: Version, { vintages }: Timeline): Vintage | undefined {
  if (began === undefined) return vintages[0]
  return vintages.find((one) => one.import === began.import && one.day === began.day)
}

function showVersion(version: Version, earlier: Version | undefined, timeline: Timeline) {
  const { began, ended, form } = version
  const roll = rollOf(version, timeline)
  const day = began?.day ?? roll?.day
  return {
    from: day === undefined ? null : showDay(day),
    to: ended === undefined ? null : showDay(ended.day),
    rollYear: roll?.rollYear ?? null,
    source: roll?.source ?? null,
    import: began?.import ?? roll?.import ?? null,
    what: form === undefined ? 'removed' : nameStart(began, earlier),
  }
}

function nameStart(began: Version['began'], earlier: Version | undefined) {
  if (began === undefined) return 'loaded'
  if (began.what !== 'added') return 'changed'
  return earlier === undefined ? 'loaded' : 'returned'
}

function showRecord(version: Version, { layout }: RequestContext): unknown {
  const stored = asStored(version)
  return stored === undefined ? null : JSON.parse(renderParcel(stored, layout))
}

/** Shows what changed between two versions; nothing where one of them is no parcel. */
function showChanges(
  version: Version,
  earlier: Version | undefined,
  timeline: Timeline,
  fields: ReadonlySet<string> | undefined,
) {
  const [before, after] = [earlier?.form, version.form]
  if (before === undefined || after === undefined || version.began === undefined) return []
  const at = {
    at: showDay(version.began.day),
    rollYear: rollOf(version, timeline)?.rollYear ?? null,
  }
  return listFieldChanges(before, after)
    .filter(({ field, group }) => fields === undefined || fields.has(field) || fields.has(group))
    .map(({ field, from, to }) => ({ ...at, field, from, to }))
}
