/** A reader of the parcels as the rolls of an earlier day had them. */
import { performance } from 'node:perf_hooks'
import { DAY_MS } from '../../base/days.ts'
import { nextTurn } from '../../base/event-loop.ts'
import { foldCity, foldParcelId, foldUseCode, stripParcelId } from '../../base/fold.ts'
import type { UnitBox } from '../../base/model/geometry.ts'
import { type Box, boxesMeet } from '../../geo/sphere.ts'
import { decodeParcel, openFields } from '../../record/stored.ts'
import { tileTextOf } from '../../record/tile-text.ts'
import { FILTERS, type FilterName, type FilterValues } from '../../store/columns.ts'
import type { EncodedKeys } from '../../store/parcel-keys.ts'
import { boundsOf, boxInDegrees, toUnits } from '../../store/places.ts'
import type {
  IdentifiedParcel,
  PageRange,
  ParcelFilter,
  ParcelPage,
  ParcelReader,
  SitusHit,
  StoredParcel,
} from '../../store/store.ts'
import { cellsOver } from '../../store/versions/cells.ts'
import { parcelKeyOf, removedKeyOf, type VersionForm } from '../../store/versions/versions.ts'
import { asStored, readVersions, type Version } from '../find/read-versions.ts'
import { isHeld, listCandidates } from './former-reader.ts'

/** Parcels that a name holds now, of which those are found that it held then. */
const HELD_MAX = 2000
/** Parcels of a county examined at a time. */
const SLICE = 200
const ALTERNATES = [null, 'range', 'highway'] as const

type Past = StoredParcel & { form: VersionForm }

const readPlace = openFields(['fips', 'municipality', 'parcelId'])

/**
 * Returns a reader of what the newest rolls on or before a day had; `day`: days since 1970-01-01.
 * It answers the questions of lookups and of property search within a county.
 */
export function openPast(parcels: ParcelReader, day: number): ParcelReader {
  const firsts = new Map<string, Promise<Map<string, number>>>()
  /** What a box had. */
  const shown = new Map<number, Past>()

  /** The days of the oldest rolls of a county, by municipality. */
  function firstsOf(state: string, fips: number): Promise<Map<string, number>> {
    const known = firsts.get(`${state} ${fips}`)
    const found =
      known ??
      parcels.vintages(state, fips).then((all) => {
        const newestFirst = all.toReversed()
        return new Map(newestFirst.map((one) => [one.municipality, one.day]))
      })
    firsts.set(`${state} ${fips}`, found)
    return found
  }

  /** The parcels of these ids that were there, by ascending id. */
  async function formsAt(state: string, ids: number[]): Promise<Past[]> {
    const versions = await readVersions(parcels, state, [...new Set(ids)])
    const found: Past[] = []
    for (const version of versions.filter((one) => isAt(one, day))) {
      const stored = asStored(version)
      if (stored === undefined || version.form === undefined) continue
      const { fips, municipality } = readPlace(stored.fieldValues)
      const first = (await firstsOf(state, fips)).get(foldCity(municipality ?? ''))
      if (first !== undefined && first <= day) found.push({ ...stored, form: version.form })
    }
    return found.sort((a, b) => a.id - b.id)
  }

  const past = async (state: string, hits: { id: number }[], keys: string[]) =>
    formsAt(state, [...hits.map(({ id }) => id), ...(await parcels.pastIds(state, keys))])

  /** Parcels that the present or an earlier version has in a box, as they were. */
  async function inBox(box: UnitBox, present: { id: number; state: string }[]) {
    const area = boxInDegrees(box)
    const keys = cellsOver(area)
    const states = new Set((await parcels.coverage({ boxes: [area] })).map(({ state }) => state))
    const found: (Past & { state: string })[] = []
    for (const state of states) {
      const own = present.filter((hit) => hit.state === state).map(({ id }) => id)
      const ids = [...new Set([...own, ...(await parcels.pastIds(state, keys))])]
      for (let at = 0; at < ids.length; at += SLICE) {
        const forms = await formsAt(state, ids.slice(at, at + SLICE))
        for (const one of forms) {
          shown.set(one.id, one)
          found.push({ ...one, state })
        }
        await nextTurn()
      }
    }
    return found
  }

  return {
    ...parcels,
    ...{ shapeIdsIn: undefined, recordsOver: undefined },
    onlyAtSitusKey: async () => undefined,
    // Origins are those of the present record.
    originBlocks: async () => [],
    // A day has the parcels of its rolls, and no successors of theirs.
    lineageOf: async () => [],
    async byParcelId(state, fips, strippedKey) {
      const hits = await parcels.byParcelId(state, fips, strippedKey)
      const found = await past(state, hits, [parcelKeyOf(fips, strippedKey)])
      return found.map(identify).filter((one) => stripParcelId(one.parcelKey) === strippedKey)
    },
    async byAlternateId(state, fips, key) {
      const hits = await parcels.byAlternateId(state, fips, key)
      const found = await past(state, hits, [`i${fips}:${key}`])
      return found.filter(({ form }) => keysOf(form).i.includes(key))
    },
    async bySitusKey(state, key) {
      const found = await past(state, await parcels.bySitusKey(state, key), [`s${key}`])
      return found.flatMap((one) => listHits(one).filter((hit) => hit.asked === key))
    },
    async byLooseKey(state, looseKey) {
      const found = await past(state, await parcels.byLooseKey(state, looseKey), [`l${looseKey}`])
      return found.flatMap((one) => listHits(one).filter((hit) => hit.loose === looseKey))
    },
    async addressesWithPrefix(state, prefix, limit) {
      const present = await parcels.addressesWithPrefix(state, prefix, limit)
      const past = await parcels.pastKeys(state, `s${prefix}`, limit)
      const keys = new Set([...present.map(({ key }) => key), ...past.map((key) => key.slice(1))])
      return [...keys].sort().map((key) => ({ key, city: '' }))
    },
    async byOwner(search) {
      const { state, fips, question, skip, limit } = search
      const { page: _, ...all } = search
      const present = await parcels.byOwner({ ...all, skip: 0, limit: HELD_MAX })
      const ids = present.hits.map(({ id }) => id)
      const forms = await formsAt(state, [
        ...ids,
        ...(await listCandidates(question, state, parcels)),
      ])
      const own =
        fips === undefined ? forms : forms.filter((one) => readPlace(one.fieldValues).fips === fips)
      // A free text is never compared by edits.
      const found = own.filter((one) => isHeld(one, question, false))
      const hits = found.map(({ id }) => ({ id, fuzzy: false }))
      return { hits: hits.slice(skip, skip + limit), complete: present.complete }
    },
    async byIds(state, ids) {
      const found = new Map((await formsAt(state, ids)).map((one) => [one.id, one]))
      return ids.flatMap((id) => found.get(id) ?? [])
    },
    async shapesIn(box, limit) {
      const area = boxInDegrees(box)
      const found = await inBox(box, await parcels.shapesIn(box, limit))
      return found.filter(({ geometry }) => meets(geometry, area)).slice(0, limit)
    },
    async pointsIn(filter, box, limit) {
      const sides = {
        westFrom: box.west,
        eastTo: box.east,
        southFrom: box.south,
        northTo: box.north,
      }
      const found = await inBox(box, await parcels.pointsIn({ assignedOnly: false }, box, limit))
      const own = found.filter(({ form }) => matches(form, { ...filter, ...sides }))
      return own.slice(0, limit).map(({ id, state, form }) => ({ id, state, ...spotOf(form) }))
    },
    async tileRows(state, ids) {
      const missing = ids.filter((id) => !shown.has(id))
      for (const one of await formsAt(state, missing)) shown.set(one.id, one)
      return ids.flatMap((id) => {
        const { form } = shown.get(id) ?? {}
        if (form === undefined) return []
        return { id, text: tileTextOf(form.fieldValues), geometry: form.geometry }
      })
    },
    // Counts of squares are of the present.
    countsIn: async () => [],
    page: (filter, range, deadline) => pageOfPast({ parcels, formsAt }, filter, range, deadline),
  }
}

function isAt({ began, ended }: Version, day: number): boolean {
  return (began === undefined || began.day <= day) && (ended === undefined || ended.day > day)
}

const unitsOf = (degrees: number | null) => (degrees === null ? null : toUnits(degrees))

const readPoint = openFields(['longitude', 'latitude'])

/** The point of a parcel that has one. */
function spotOf({ fieldValues }: VersionForm): { x: number; y: number } {
  const { longitude, latitude } = readPoint(fieldValues)
  return { x: toUnits(longitude ?? Number.NaN), y: toUnits(latitude ?? Number.NaN) }
}

/** Whether the bounds of a polygon meet a box. */
function meets(geometry: string | null, area: Box): boolean {
  const bounds = geometry === null ? undefined : boundsOf(JSON.parse(geometry).coordinates)
  return bounds !== undefined && boxesMeet(bounds, area)
}

function identify(parcel: Past): IdentifiedParcel {
  return { ...parcel, parcelKey: foldParcelId(readPlace(parcel.fieldValues).parcelId) }
}

function keysOf({ keys }: VersionForm): EncodedKeys {
  return JSON.parse(keys)
}

/** The addresses of a parcel, each with the key and the loose key by which it is found. */
function listHits({ id, form }: Past): (SitusHit & { asked: string; loose: string })[] {
  const { fips, city, zipCode } = decodeParcel(form.fieldValues)
  const place = { id, fips, city: foldCity(city ?? ''), zip: zipCode ?? '' }
  const { s, a } = keysOf(form)
  return [
    ...s.map(([key, loose, unitKey]) => ({
      ...{ ...place, key, unitKey, alternate: null, asked: key, loose },
    })),
    ...a.map(([asked, kind, key, unitKey]) => ({
      ...{ ...place, key, unitKey, alternate: ALTERNATES[kind] ?? null, asked, loose: '' },
    })),
  ]
}

type Reading = {
  parcels: ParcelReader
  formsAt(state: string, ids: number[]): Promise<Past[]>
}

/** Walks the ids of a county: those that are present, and those that were removed. */
async function pageOfPast(
  { parcels, formsAt }: Reading,
  filter: ParcelFilter,
  { afterId, skip, limit }: PageRange,
  deadline: number,
): Promise<ParcelPage> {
  const { state, fips = 0, ids } = filter
  const removed = await parcels.pastIds(state, [removedKeyOf(fips)])
  const found: StoredParcel[] = []
  let left = skip
  let at = afterId
  for (;;) {
    const from = at
    const slice = await nextIds(parcels, { state, fips, ids, removed }, from)
    for (const { form, ...parcel } of await formsAt(state, slice.ids)) {
      at = parcel.id
      if (!matches(form, filter)) continue
      if (left > 0) left -= 1
      else found.push(parcel)
      if (found.length === limit)
        return { parcels: found, lastId: at, done: false, outOfTime: false }
    }
    at = slice.lastId
    if (slice.done) return { parcels: found, lastId: at, done: true, outOfTime: false }
    if (performance.now() > deadline) {
      return { parcels: found, lastId: at, done: false, outOfTime: true }
    }
    // Other requests have their turn.
    await nextTurn()
  }
}

type Walked = { state: string; fips: number; ids: number[] | undefined; removed: number[] }

async function nextIds(
  parcels: ParcelReader,
  { state, fips, ids, removed }: Walked,
  after: number,
): Promise<{ ids: number[]; lastId: number; done: boolean }> {
  if (ids !== undefined) {
    return { ids: ids.filter((id) => id > after), lastId: ids.at(-1) ?? after, done: true }
  }
  const filter = { state, fips, assignedOnly: false }
  const deadline = Number.POSITIVE_INFINITY
  const page = await parcels.page(filter, { afterId: after, skip: 0, limit: SLICE }, deadline)
  const present = page.parcels.map(({ id }) => id)
  const upTo = page.done ? Number.POSITIVE_INFINITY : page.lastId
  const gone = removed.filter((id) => id > after && id <= upTo)
  const all = [...new Set([...present, ...gone])].sort((a, b) => a - b)
  return { ids: all, lastId: page.done ? (all.at(-1) ?? after) : page.lastId, done: page.done }
}

/** Reports whether a version meets all filters of a property search. */
function matches(form: VersionForm, filter: FilterValues): boolean {
  const parcel = decodeParcel(form.fieldValues)
  const [newest] = parcel.transfers
  const sold = newest?.transferDate ?? newest?.recordingDate ?? null
  const values: Record<string, string | number | boolean | null> = {
    assigned: parcel.addressAssigned === true,
    fips: parcel.fips,
    city: foldCity(parcel.city ?? ''),
    zip: parcel.zipCode ?? '',
    unit: keysOf(form).s[0]?.[2] ?? '',
    use_code: parcel.propertyUseCode ?? '',
    local_use: foldUseCode(parcel.localUseCode ?? ''),
    residential: parcel.residential,
    transfer_day: sold === null ? null : Date.parse(`${sold}T00:00:00Z`) / DAY_MS,
    x: unitsOf(parcel.longitude),
    y: unitsOf(parcel.latitude),
  }
  return (Object.keys(FILTERS) as FilterName[]).every((name) => {
    const asked = filter[name]
    if (asked === undefined || (name === 'assignedOnly' && asked === false)) return true
    const { column, test } = FILTERS[name]
    return TESTS[test](values[column] ?? null, asked)
  })
}

type Value = string | number | boolean | null

const TESTS: Record<(typeof FILTERS)[FilterName]['test'], (own: Value, asked: Value) => boolean> = {
  '=': (own, asked) => own === asked,
  '>=': (own, asked) => own !== null && asked !== null && own >= asked,
  '<=': (own, asked) => own !== null && asked !== null && own <= asked,
  'is true': (own) => own === true,
  'is one of': (own, asked) => own !== '' && `,${asked}`.includes(`,${own},`),
  'is a line of': (own, asked) => own !== '' && String(asked).includes(`\n${own}\n`),
}
