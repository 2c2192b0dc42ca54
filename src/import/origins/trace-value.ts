/**
 * Finds the cells of which a value was made, by the mapping of its import. With the kept row the
 * mapping is run again, on a row that notes which cells are read. Without it the columns that the
 * mapping names are those.
 */
import { abbreviate } from '../../record/document-types.ts'
import { BUILDING_FIELDS, type Fields, type Reading, TRANSFER_FIELDS } from '../../record/fields.ts'
import { blankBuilding, blankTransfer } from '../../record/parcel.ts'
import type { JoinedPlace, OriginDocument, RowPlace } from '../../store/origins/origins.ts'
import { type Columns, columnsOf } from '../mapping/expression.ts'
import {
  MAPPED_BUILDING,
  MAPPED_PARCEL,
  MAPPED_TRANSFER,
  type MappedField,
  mappingName,
} from '../mapping/fields.ts'
import type { Filler } from '../mapping/filler.ts'
import type { MappingDocument, Value } from '../mapping/mapping.ts'
import type { Inputs, MadeOf } from './made-of.ts'
import type { OpenedDocument } from './opened-document.ts'

/** A row of the parcel with its cells and those of joined rows; `undefined`: not kept. */
export type SourceRow = { place: JoinedPlace; cells: readonly string[] | undefined }

/** Cells of one row of a file. `recorded`: their texts, where the import kept its source. */
type TracedCells = { place: RowPlace; columns: string[]; recorded?: string[] }
/** `words`: the rules of the mapping, then ours. `made`: whether ours applies. */
export type Traced = { cells: TracedCells[]; words: string[]; made: boolean }

/** A property of an item of one of the parcel's lists. */
type AskedItem = { list: 'buildings' | 'transfers'; item: object; property: string }

type Used = {
  columns: number[]
  texts: string[]
  words: string[]
  isShape: boolean
  /** Whether a further group of `MadeOf` may have been taken. */
  isLater?: boolean
}

const NONE: Used = { columns: [], texts: [], words: [], isShape: false }

/** What a field's text is read as, where that is not the text itself. */
const READ_AS: Partial<Record<Reading, string>> = {
  upper: 'in upper case',
  integer: 'a whole number',
  number: 'a number',
  money: 'whole dollars',
  cents: 'dollars and cents',
  area: 'square feet',
  acres: 'acres',
  year: 'a year',
  date: 'a date',
  flag: 'yes or no',
  list: 'parts between semicolons',
}

export class ValueTracer {
  readonly #document: OriginDocument
  readonly #mapping: MappingDocument
  readonly #rows: readonly SourceRow[]
  readonly #compiled: ReturnType<OpenedDocument['compile']>
  readonly #known = new Map<SourceRow, Map<Value, Used>>()

  constructor(opened: OpenedDocument, rows: readonly SourceRow[]) {
    this.#document = opened.document
    this.#rows = rows
    this.#compiled = opened.compile(rows[0]?.place.part ?? 0)
    this.#mapping = this.#compiled.mapping
  }

  trace(made: MadeOf, value: unknown): Traced {
    const isMerged = this.#rows.length > 1 && made.merged !== undefined
    const [first = [], ...more] = made.groups
    const groups = isMerged ? [[...first, ...(made.merged ?? [])], ...more] : made.groups
    const all = this.#rows.map((row) => this.#useGroups({ ...made, groups }, row, value))
    const used = chooseRows(all, value)
    const isOurs =
      made.rule !== undefined && (made.isDefault !== true || used.some((one) => one.isLater))
    return this.#show(used, isOurs ? made.rule : undefined)
  }

  traceItem(asked: AskedItem): Traced {
    const { list, item, property } = asked
    const sets = (this.#mapping[list] ?? []) as Record<string, Value>[]
    const used = this.#rows.map((row) => {
      const chosen = row.cells === undefined ? sets : this.#chooseSets(sets, row.cells, list, item)
      const all = chosen.flatMap((set) => {
        const name = nameItem(list, property)
        const input = set[name]
        return input === undefined ? [] : [this.#use(input, row, ITEM_FIELDS[list][name]?.reading)]
      })
      return all.length === 0 ? NONE : unite(all)
    })
    return this.#show(used, undefined)
  }

  /** Traces a text of `extra`: a column, or what a field could not hold. */
  traceExtra(name: string, text: unknown): Traced {
    const groups = [[`@column ${name}`], [name], [`@buildings.${name}`]]
    return this.trace({ groups, isCut: true }, text)
  }

  /** Returns the sets of columns that make an item: those most like it. */
  #chooseSets(
    sets: Record<string, Value>[],
    cells: readonly string[],
    list: 'buildings' | 'transfers',
    item: object,
  ): Record<string, Value>[] {
    const made = this.#makeItems(cells, list)
    const likeness = made.map((one) => countEqual(one, item))
    const best = Math.max(0, ...likeness)
    return best === 0 ? [] : sets.filter((_, at) => likeness[at] === best).slice(0, 1)
  }

  #makeItems(cells: readonly string[], list: 'buildings' | 'transfers'): object[] {
    const plan = this.#compiled.plan()
    const fill = <Owner>(owner: Owner, fillers: Filler<Owner>[]) => {
      for (const filler of fillers) filler(owner, cells, () => undefined)
      return owner
    }
    return list === 'buildings'
      ? plan.buildings.map((fillers) => fill(blankBuilding(), fillers))
      : plan.transfers.map((fillers) => abbreviate(fill(blankTransfer(), fillers)))
  }

  /** Returns the first group that has a value; without the row's cells all that may have one. */
  #useGroups(made: MadeOf, row: SourceRow, value: unknown): Used {
    const groups = made.groups.map((inputs) => this.#useGroup(inputs, made, row, value))
    const ranked = groups.map((one, at) => ({ ...one, isLater: at > 0 }))
    if (row.cells !== undefined) return ranked.find(({ texts }) => texts.length > 0) ?? NONE
    const known = ranked.filter((one) => one.columns.length > 0 || one.words.length > 0)
    return known.length === 0 ? NONE : unite(known)
  }

  #useGroup(inputs: Inputs, made: MadeOf, row: SourceRow, value: unknown): Used {
    const all = inputs.flatMap((name) =>
      this.#valuesOf(name).map((one) => this.#use(one, row, MAPPED_PARCEL[name]?.reading)),
    )
    if (inputs.includes('@shape')) {
      all.push({ columns: [], texts: [''], words: ['the shape of the row'], isShape: true })
    }
    const known = row.cells === undefined ? all : all.filter(({ texts }) => texts.length > 0)
    const close = made.isCut === true ? known.filter(({ texts }) => holds(texts, value)) : known
    return unite(close.length > 0 ? close : known)
  }

  /** The values of the mapping by a name of `Inputs`. */
  #valuesOf(name: string): Value[] {
    const { fields, alternateParcelIds, furtherAddresses, point, transfers, buildings } =
      this.#mapping
    if (name.startsWith('@column ')) return [{ column: name.slice('@column '.length) }]
    if (name === '@alternateParcelIds') return alternateParcelIds ?? []
    if (name === '@furtherAddresses') return furtherAddresses ?? []
    if (name === '@point') return point === undefined ? [] : [point.x, point.y]
    if (name === '@buildings') return (buildings ?? []).flatMap((set) => Object.values(set))
    const [list, own = ''] = name.split('.', 2)
    if (list === '@transfers') return (transfers ?? []).flatMap((set) => set[own] ?? [])
    if (list === '@buildings') return (buildings ?? []).flatMap((set) => set[own] ?? [])
    return fields[name] === undefined ? [] : [fields[name]]
  }

  #use(value: Value, row: SourceRow, reading?: Reading): Used {
    const own = this.#known.getOrInsertComputed(row, () => new Map<Value, Used>())
    const used = own.getOrInsertComputed(value, () => this.#read(value, row))
    const isDated = reading === 'date' && typeof value === 'object' && value.date !== undefined
    const as = reading === undefined || isDated ? undefined : READ_AS[reading]
    return as === undefined ? used : { ...used, words: used.words.map((one) => `${one}, ${as}`) }
  }

  /** Reads a value; several properties are made of the same one. */
  #read(value: Value, { cells }: SourceRow): Used {
    const { get, unit, words: own } = this.#compiled.value(value)
    const words = [own]
    if (cells === undefined) {
      const columns = listColumns(value, this.#compiled.columns)
      const isKnown = columns.length > 0 || isFixed(value)
      return { columns, words: isKnown ? words : [], texts: [], isShape: false }
    }
    const seen = new Set<number>()
    const row = watch(cells, seen)
    const text = get?.(row) ?? null
    unit?.(row)
    const columns = [...seen].filter((at) => (cells[at] ?? '').trim() !== '')
    return { columns, words, texts: text === null ? [] : [text], isShape: false }
  }

  #show(used: readonly Used[], rule: string | undefined): Traced {
    const cells = used.flatMap((one, at) => this.#showCells(one, this.#rows[at] as SourceRow))
    const words = new Set(used.flatMap((one) => one.words))
    if (rule !== undefined && words.size > 0) words.add(rule)
    return { cells, words: [...words], made: rule !== undefined }
  }

  #showCells({ columns, isShape }: Used, { place, cells }: SourceRow): TracedCells[] {
    const own = this.#document.parts[place.part]?.columns.length ?? 0
    const { partners, ...first } = place
    const starts = [{ from: 0, to: own, place: first as RowPlace | null }]
    this.#document.joined.forEach((part, at) => {
      const from = starts.at(-1)?.to ?? 0
      const size = this.#document.parts[part]?.columns.length ?? 0
      starts.push({ from, to: from + size, place: partners[at] ?? null })
    })
    return starts.flatMap(({ from, to, place }, at) => {
      const within = columns.filter((column) => column >= from && column < to)
      const isOwnShape = isShape && at === 0
      if (place === null || (within.length === 0 && !isOwnShape)) return []
      const names = within.map((column) => this.#compiled.names[column] ?? '')
      const texts = cells && { recorded: within.map((column) => cells[column] ?? '') }
      return [{ place, columns: names, ...texts }]
    })
  }
}

/** A row that notes which of its cells are read. */
function watch(cells: readonly string[], seen: Set<number>): readonly string[] {
  return new Proxy(cells, {
    get(target, name, receiver) {
      if (typeof name === 'string' && /^\d+$/.test(name)) seen.add(Number(name))
      return Reflect.get(target, name, receiver)
    },
  })
}

function unite(all: readonly Used[]): Used {
  return {
    columns: [...new Set(all.flatMap(({ columns }) => columns))],
    texts: all.flatMap(({ texts }) => texts),
    words: [...new Set(all.flatMap(({ words }) => words))],
    isShape: all.some(({ isShape }) => isShape),
    isLater: all.some((one) => one.isLater === true),
  }
}

/**
 * Keeps the rows of a parcel that have the value in a text. Of rows that all make it in another way
 * it keeps the first, whose values stay when rows are merged. Rows without texts are kept.
 */
function chooseRows(all: readonly Used[], value: unknown): readonly Used[] {
  if (all.length < 2 || all.every(({ texts }) => texts.length === 0)) return all
  const holding = all.map(({ texts }) => texts.length > 0 && holds(texts, value))
  const first = all.findIndex(({ texts }) => texts.length > 0)
  const isChosen = holding.includes(true)
    ? (at: number) => holding[at] === true
    : (at: number) => at === first
  return all.map((one, at) => (isChosen(at) ? one : NONE))
}

/** Whether a text has the value in it, or the value the text. */
function holds(texts: readonly string[], value: unknown): boolean {
  const fold = (one: unknown) => String(one).toUpperCase()
  const wanted = [value].flat().map(fold)
  return texts.some((text) =>
    wanted.some((one) => fold(text).includes(one) || one.includes(fold(text))),
  )
}

function countEqual(made: object, item: object): number {
  const values = item as Record<string, unknown>
  return Object.entries(made).filter(([name, one]) => one !== null && one === values[name]).length
}

function isFixed(value: Value): boolean {
  return typeof value !== 'string' && (value.constant !== undefined || value.file === true)
}

function listColumns(value: Value, columns: Columns): number[] {
  return columnsOf(value, { unit: true, when: true })
    .map((names) => columns.find(names))
    .filter((column) => column !== undefined)
}

const ITEM_FIELDS: Record<'buildings' | 'transfers', Record<string, MappedField<never>>> = {
  buildings: MAPPED_BUILDING,
  transfers: MAPPED_TRANSFER,
}

function nameItem(list: 'buildings' | 'transfers', property: string): string {
  const fields: Fields = list === 'buildings' ? BUILDING_FIELDS : TRANSFER_FIELDS
  const field = fields[property]
  return field === undefined ? property : mappingName(property, field)
}
