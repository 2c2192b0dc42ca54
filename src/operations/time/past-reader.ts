/** A reader of the parcels as the rolls of an earlier day had them. */
import { performance } from 'node:perf_hooks'
import { nextTurn } from '../../base/event-loop.ts'
import { foldCity, foldParcelId, foldUseCode, stripParcelId } from '../../base/fold.ts'
import { UNITS_PER_DEGREE } from '../../base/model/geometry.ts'
import { decodeParcel, openFields } from '../../record/stored.ts'
import { FILTERS, type FilterName } from '../../store/columns.ts'
import type { EncodedKeys } from '../../store/parcel-keys.ts'
import type { UnitBox } from '../../store/places.ts'
import type {
  IdentifiedParcel,
  ParcelFilter,
  ParcelPage,
  ParcelReader,
  SitusHit,
  StoredParcel,
} from '../../store/store.ts'
import { cellsAt } from '../../store/versions/cells.ts'
import { parcelKeyOf, removedKeyOf, type VersionForm } from '../../store/versions/versions.ts'
import { asStored, readVersions, type Version } from '../find/read-versions.ts'

/** Parcels of a county examined at a time. */
const SLICE = 200
const DAY_MS = 86_400_000
const ALTERNATES = [null, 'range', 'highway'] as const

type Past = StoredParcel & { form: VersionForm }

const readPlace = openFields(['fips', 'municipality', 'parcelId'])

/**
 * Returns a reader of what the newest rolls on or before a day had; `day`: days since 1970-01-01.
 * It answers the questions of lookups and of property search within a county.
 */
export function openPast(parcels: ParcelReader, day: number): ParcelReader {
  const firsts = new Map<string, Promise<Map<string, number>>>()

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

  async function overBox(box: UnitBox): Promise<{ state: string; found: Past[] }[]> {
    const point = [box.west / UNITS_PER_DEGREE, box.south / UNITS_PER_DEGREE] as const
    const [west, south] = point
    const boxes = [{ west, south, east: west, north: south }]
    const states = new Set((await parcels.coverage({ boxes })).map(({ state }) => state))
    const hits = await parcels.shapesIn(box, 1000)
    return Promise.all(
      [...states].map(async (state) => {
        const own = hits.filter((hit) => hit.state === state)
        return { state, found: await past(state, own, cellsAt(point)) }
      }),
    )
  }

  return {
    ...parcels,
    ...{ spotsIn: undefined, shapeIdsIn: undefined },
    ...{ recordsOfSpots: undefined, recordsOver: undefined },
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
    async byIds(state, ids) {
      const found = new Map((await formsAt(state, ids)).map((one) => [one.id, one]))
      return ids.flatMap((id) => found.get(id) ?? [])
    },
    async shapesIn(box) {
      const lists = await overBox(box)
      return lists.flatMap(({ state, found }) => found.map(({ id }) => ({ id, state })))
    },
    pointsIn: async () => [],
    page: (filter, afterId, skip, limit, deadline) =>
      pageOfPast({ parcels, formsAt }, filter, afterId, { skip, limit, deadline }),
  }
}

function isAt({ began, ended }: Version, day: number): boolean {
  return (began === undefined || began.day <= day) && (ended === undefined || ended.day > day)
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
  afterId: number,
  { skip, limit, deadline }: { skip: number; limit: number; deadline: number },
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
  const page = await parcels.page(filter, after, 0, SLICE, deadline)
  const present = page.parcels.map(({ id }) => id)
  const upTo = page.done ? Number.POSITIVE_INFINITY : page.lastId
  const gone = removed.filter((id) => id > after && id <= upTo)
  const all = [...new Set([...present, ...gone])].sort((a, b) => a - b)
  return { ids: all, lastId: page.done ? (all.at(-1) ?? after) : page.lastId, done: page.done }
}

/** Reports whether a version meets all filters of a property search. */
function matches(form: VersionForm, filter: ParcelFilter): boolean {
  const parcel = decodeParcel(form.fieldValues)
  const [newest] = parcel.transfers
  const sold = newest?.transferDate ?? newest?.recordingDate ?? null
  const units = (degrees: number | null) =>
    degrees === null ? null : Math.round(degrees * UNITS_PER_DEGREE)
  const values: Record<string, string | number | boolean | null> = {
    assigned: parcel.addressAssigned,
    fips: parcel.fips,
    city: foldCity(parcel.city ?? ''),
    zip: parcel.zipCode ?? '',
    unit: keysOf(form).s[0]?.[2] ?? '',
    use_code: parcel.propertyUseCode ?? '',
    local_use: foldUseCode(parcel.localUseCode ?? ''),
    residential: parcel.residential,
    transfer_day: sold === null ? null : Date.parse(`${sold}T00:00:00Z`) / DAY_MS,
    x: units(parcel.longitude),
    y: units(parcel.latitude),
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
