/** Reads earlier versions of parcels. */
import { VERSION_KINDS, type VersionReader } from '../../versions/versions.ts'
import { VERSIONS } from '../read/place-statements.ts'
import type { Prepare } from '../read/prepare.ts'

type Version = [
  ...[id: number, day: number, importId: number, what: number, loadedAt: number],
  difference: string,
]
type Vintage = [
  ...[state: string, fips: number, municipality: string, day: number, importId: number],
  ...[rollYear: number | null, source: string, loadedAt: number],
]
type Link = [
  ...[parent: number, child: number, day: number, importId: number, kind: number],
  ...[shareOfParent: number | null, shareOfChild: number | null, evidence: number],
]
type Form = [
  id: number,
  loadedAt: number,
  fieldValues: string,
  keys: string,
  geojson: string | null,
]

export function openVersionReader(prepare: Prepare): VersionReader {
  return {
    async versionsOf(state, ids) {
      const rows = ids.flatMap((id) => prepare(VERSIONS.ofParcel).all<Version>(state, id))
      return rows.map(([id, day, own, what, loadedAt, difference]) => ({
        ...{ id, day, import: own, what: VERSION_KINDS[what] ?? 'changed', loadedAt, difference },
      }))
    },
    async vintages(state, fips) {
      const rows =
        fips === undefined
          ? prepare(VERSIONS.vintages).all<Vintage>(state)
          : prepare(VERSIONS.vintagesOfCounty).all<Vintage>(state, fips)
      return rows.map(([of, county, municipality, day, own, rollYear, source, loadedAt]) => ({
        ...{ state: of, fips: county, municipality, day, import: own, rollYear, source, loadedAt },
      }))
    },
    async pastIds(state, keys) {
      const rows = keys.flatMap((key) => prepare(VERSIONS.past).all<[number]>(state, key))
      return [...new Set(rows.map(([id]) => id))].sort((a, b) => a - b)
    },
    async pastKeys(state, start, limit) {
      const rows = prepare(VERSIONS.keys).all<[string]>(state, start, `${start}\uffff`, limit)
      return rows.map(([key]) => key)
    },
    async lineageOf(state, ids) {
      const rows = ids.flatMap((id) => prepare(VERSIONS.lineage).all<Link>(state, id))
      return rows.map(([parent, child, day, own, kind, shareOfParent, shareOfChild, evidence]) => ({
        ...{ parent, child, day, import: own, kind, shareOfParent, shareOfChild, evidence },
      }))
    },
    async formsOf(_state, ids) {
      const rows = ids.flatMap((id) => prepare(VERSIONS.form).all<Form>(id))
      return rows.map(([id, loadedAt, fieldValues, keys, geometry]) => ({
        ...{ id, loadedAt, fieldValues, keys, geometry },
      }))
    },
  }
}
