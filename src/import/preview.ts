/** The report of a dry run: some parcels before and after, and the fields that nothing fills. */
import type { Layout } from '../record/layout.ts'
import type { Parcel } from '../record/parcel.ts'
import { decodeParcel, slotOf, splitFields, splitItems } from '../record/stored.ts'
import { renderParcel } from '../render/render.ts'
import type { StagedParcel } from '../store/store.ts'
import type { Batch } from './batch.ts'
import { warnOfShares } from './expect.ts'
import type { MappingDocument } from './mapping/mapping.ts'
import { CommonValues, UncodedUses } from './report/commonest.ts'
import { DamagedIds } from './report/damaged-ids.ts'
import { FIELD_PLACES } from './report/flat-names.ts'
import { ShareCounter } from './report/shares.ts'

/** A row's filled columns, the fields made from them, and the record that is served. */
type Preview = { before: [string, string][]; after: [string, string][]; served: unknown }

/** The report of a dry run: parcels, empty fields, shares and warnings. */
export type PreviewReport = ReturnType<Previewer['finish']>

const PARCELS = 20
const ID_SLOT = slotOf('parcelId')
const LISTS = [slotOf('buildings'), slotOf('transfers')] as const
const [BUILDINGS, TRANSFERS] = LISTS
const SHOWN_SHARES =
  `ownerName1 address city zipCode ownerAddressLine1 ownerCity ownerState ownerZipCode
ownerOccupied useCode residential totalAssessedValue totalMarketValue yearBuilt transferDate`.split(
    /\s+/,
  )

/** Sees every batch of a roll. Keeps twenty rows spread over the roll, and one count per field. */
export class Previewer {
  readonly #filled = new Set<string>()
  #kept: { at: number; row: string[]; columns: readonly string[]; fieldValues: string }[] = []
  #parcels = 0
  #step = 1
  readonly #commonest = new CommonValues()
  readonly #uncoded = new UncodedUses()
  readonly #ids = new DamagedIds()
  readonly #shares: ShareCounter

  /** `expected`: flat names of the fields whose share the mapping expects. */
  constructor(expected: string[]) {
    this.#shares = new ShareCounter([...new Set([...SHOWN_SHARES, ...expected])])
  }

  see(batch: Batch & { firstRow: number }, parcels: StagedParcel[]): void {
    for (const parcel of parcels) {
      this.#note(parcel.fieldValues)
      const at = this.#parcels
      this.#parcels += 1
      if (at % this.#step !== 0) continue
      const row = batch.rows[parcel.row - batch.firstRow] ?? []
      this.#kept.push({ at, row, columns: batch.columns, fieldValues: parcel.fieldValues })
      if (this.#kept.length === 2 * PARCELS) this.#thin()
    }
  }

  finish(mapping: MappingDocument) {
    const step = Math.max(1, this.#kept.length / PARCELS)
    const spread = this.#kept.filter((_, at) => Math.floor(at / step) > Math.floor((at - 1) / step))
    const parcels = spread.map(
      ({ row, columns, fieldValues }): Preview => ({
        before: columns.flatMap((name, at): [string, string][] => {
          const text = (row[at] ?? '').trim()
          return text === '' ? [] : [[name, text]]
        }),
        after: showFields(decodeParcel(fieldValues)),
        served: JSON.parse(renderStaged(fieldValues, 'flat')),
      }),
    )
    const [fullest] = spread.toSorted((a, b) => b.fieldValues.length - a.fieldValues.length)
    const shares = this.#shares.finish()
    const asked = fieldsOf(mapping)
    const empty = ALL_FIELDS.filter((field) => !this.#filled.has(field))
    return {
      parcels,
      /** Flat names of record fields that no parcel fills. */
      empty: {
        mapped: empty.filter((field) => asked.has(field)),
        unmapped: empty.filter((field) => !asked.has(field)),
      },
      shares,
      /** Damaged IDs, and shares that no roll has, as those of a wrongly mapped column. */
      warnings: [...this.#ids.list('parcelId'), ...warnOfShares(shares)],
      commonest: this.#commonest.finish(),
      uncodedUses: this.#uncoded.finish(),
      /** One parcel as the service answers it, nested; `null` when no row makes one. */
      served:
        fullest === undefined
          ? null
          : (JSON.parse(renderStaged(fullest.fieldValues, 'nested')) as unknown),
    }
  }

  /** Drops every second row and halves the rate, so that kept rows are spread over the roll. */
  #thin(): void {
    this.#step *= 2
    this.#kept = this.#kept.filter(({ at }) => at % this.#step === 0)
  }

  #note(fieldValues: string): void {
    const texts = splitFields(fieldValues)
    this.#shares.seeTexts(texts)
    this.#commonest.see(texts)
    this.#uncoded.see(texts)
    this.#ids.add(JSON.parse(texts[ID_SLOT] || '""') as string)
    const items = new Map(LISTS.map((slot) => [slot, splitItems(texts[slot] ?? '')]))
    for (const { field, slot, item } of FIELD_PLACES) {
      const isFilled =
        item === undefined
          ? (texts[slot] ?? '') !== ''
          : items.get(slot)?.some((one) => (one[item] ?? '') !== '')
      if (isFilled) this.#filled.add(field)
    }
  }
}

/** Renders a parcel as the service would answer it; the id is only set by the load. */
function renderStaged(fieldValues: string, layout: Layout): string {
  return renderParcel({ id: 0, fieldValues, loadedAt: 0, geometry: null }, layout)
}

/** Formats the row's columns next to the record's fields. Lines have at most `width` characters. */
export function showPreview({ before, after }: Omit<Preview, 'served'>, width: number): string[] {
  const half = Math.floor((width - 3) / 2)
  const lines = (pairs: [string, string][]) => {
    const names = Math.min(24, Math.max(0, ...pairs.map(([name]) => name.length)))
    return pairs.map(([name, text]) => cut(`${cut(name, names).padEnd(names)}  ${text}`, half))
  }
  const [left, right] = [lines(before), lines(after)]
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) =>
    `${(left[at] ?? '').padEnd(half)} │ ${right[at] ?? ''}`.trimEnd(),
  )
}

const cut = (text: string, width: number) =>
  text.length > width ? `${text.slice(0, width - 1)}…` : text

function showFields(parcel: Parcel): [string, string][] {
  const pairs: [string, string][] = []
  const add = (name: string, value: unknown) => {
    if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return
    pairs.push([name, Array.isArray(value) ? value.join('; ') : String(value)])
  }
  const addPlaces = (of: object, list?: number) => {
    const values = of as Record<string, unknown>
    for (const { field, property, slot, item } of FIELD_PLACES) {
      const isOwn = item === undefined ? list === undefined : slot === list
      if (isOwn && property !== 'fips') add(field, values[property])
    }
  }
  addPlaces(parcel)
  for (const building of parcel.buildings) addPlaces(building, BUILDINGS)
  for (const transfer of parcel.transfers) addPlaces(transfer, TRANSFERS)
  for (const [name, text] of Object.entries(parcel.extra)) add(`extra.${name}`, text)
  return pairs
}

const INNER = new Set(['fips', 'addressAssigned'])

const ALL_FIELDS = FIELD_PLACES.filter(({ property }) => !INNER.has(property)).map(
  ({ field }) => field,
)

function fieldsOf(mapping: MappingDocument): Set<string> {
  const sets = [mapping.fields, ...(mapping.buildings ?? []), ...(mapping.transfers ?? [])]
  const names = new Set(sets.flatMap((set) => Object.keys(set)))
  if (mapping.alternateParcelIds !== undefined) names.add('altParcelIds')
  if (mapping.furtherAddresses !== undefined) names.add('altAddresses')
  return names
}
