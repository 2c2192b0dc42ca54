/** The versions of one parcel over time, of which some may be of a parcel that was removed. */
import { foldCity, stripParcelId } from '../../base/fold.ts'
import { openFields, propertyIdOf } from '../../record/stored.ts'
import { fipsCode } from '../../regions/counties.ts'
import type { ParcelReader } from '../../store/store.ts'
import { parcelKeyOf, type VersionRow, type Vintage } from '../../store/versions/versions.ts'
import { listSplits } from './find-parcel.ts'
import { readVersions, type Version } from './read-versions.ts'
import { findSubject, type Subject } from './subject.ts'

export type Timeline = {
  state: string
  propertyId: string
  /** Newest first. */
  versions: Version[]
  /** The rolls of its scope, oldest first. */
  vintages: Vintage[]
}

const readPlace = openFields(['fips', 'municipality', 'parcelId'])

export async function findTimeline(
  subject: Subject,
  parcels: ParcelReader,
): Promise<Timeline | undefined> {
  if (subject.kind !== 'property' && subject.kind !== 'parcel') return undefined
  const { state, fips } = subject.kind === 'property' ? subject.id : subject
  const found = await findSubject(subject, parcels)
  // Another parcel may be found by an ID that it has not itself.
  const isHeir = found?.match === 'former' || found?.match === 'successor'
  const present = isHeir ? undefined : found?.parcel
  const asked = subject.kind === 'property' ? subject.id.rest : subject.parcelId
  const keys =
    present === undefined
      ? listSplits(asked).map(([, parcelId]) => parcelKeyOf(fips, stripParcelId(parcelId)))
      : [parcelKeyOf(fips, stripParcelId(readPlace(present.fieldValues).parcelId))]
  const past = await parcels.pastIds(state, keys)
  const own = present === undefined ? [] : [present.id]
  const versions = await readVersions(parcels, state, [...new Set([...own, ...past])])
  const propertyId = present
    ? propertyIdOf(present.fieldValues)
    : versions.map(({ form }) => form && propertyIdOf(form.fieldValues)).find(isAsked(fips, asked))
  if (propertyId !== undefined) return joinTimeline(parcels, { state, fips, propertyId, versions })
  // The parcel that lists the asked ID as a former one.
  if (found === undefined) return undefined
  const heir = propertyIdOf(found.parcel.fieldValues)
  const heirs = await readVersions(parcels, state, [found.parcel.id])
  return joinTimeline(parcels, { state, fips, propertyId: heir, versions: heirs })
}

function isAsked(fips: number, asked: string) {
  const prefix = `${fipsCode(fips)}-`
  return (propertyId: string | undefined) =>
    propertyId !== undefined &&
    stripParcelId(propertyId.slice(prefix.length)) === stripParcelId(asked)
}

type Joining = { state: string; fips: number; propertyId: string; versions: Version[] }

/** Joins the versions of all ids that the property had, with the time in which it was not there. */
async function joinTimeline(
  parcels: ParcelReader,
  { state, fips, propertyId, versions }: Joining,
): Promise<Timeline> {
  const isOwn = ({ form }: Version) => form && propertyIdOf(form.fieldValues) === propertyId
  const ids = new Set(versions.filter(isOwn).map(({ id }) => id))
  const there = versions
    .filter(({ id, form }) => ids.has(id) && form !== undefined)
    .toSorted((a, b) => compareStarts(b.began, a.began))
  const municipality = foldCity(readPlace(there[0]?.form?.fieldValues ?? '').municipality ?? '')
  const all = await parcels.vintages(state, fips)
  const joined = there.flatMap((version, at) => {
    const next = there[at - 1]
    const { ended } = version
    const isGone =
      ended?.what === 'removed' && (next === undefined || compareStarts(next.began, ended) !== 0)
    const gone = { id: version.id, form: undefined, loadedAt: 0, began: ended, ended: next?.began }
    return isGone ? [gone, version] : [version]
  })
  const vintages = all.filter((one) => one.municipality === municipality)
  return { state, propertyId, versions: joined, vintages }
}

function compareStarts(one: VersionRow | undefined, other: VersionRow | undefined): number {
  if (one === undefined || other === undefined)
    return Number(other === undefined) * 1 - Number(one === undefined)
  return one.day - other.day || one.import - other.import
}
