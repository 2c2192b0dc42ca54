/** Renders stored parcels as JSON: docs/rendering.md. */
import type { AccountFacts } from '../base/model/account.ts'
import { type Layout, layoutOf } from '../record/layout.ts'
import type { StoredParcel } from '../store/store.ts'
import { writePropertyId } from './derived.ts'
import { pieceOf } from './memory.ts'
import { Output, releaseBuffer } from './output.ts'
import { boundPrograms } from './program.ts'
import { StoredRecord } from './record.ts'
import { listSources } from './sources.ts'
import { buildTemplate } from './template.ts'

export { releaseBuffer }

/** An answer's JSON: a text, usually ASCII, or UTF-8 bytes to be given to `releaseBuffer`. */
export type Rendered = string | Buffer<ArrayBuffer>

/** Returns an answer as text; its buffer may be used again. */
export function takeText(body: Rendered): string {
  const text = body.toString()
  if (typeof body !== 'string') releaseBuffer(body)
  return text
}

/** The fields to show: a whole layout, or what `shownTo` or `partOfFlat` made. */
export type Shown = Layout | OwnLayout

/** A layout as an account gets it, or some fields of the flat one. */
type OwnLayout = { write: ReturnType<typeof buildTemplate> }

const FLAT = listSources('flat')
const write = { nested: buildTemplate(listSources('nested')), flat: buildTemplate(FLAT) }

/** Returns the flat layout with only these fields, in its own order; unknown names are ignored. */
export function partOfFlat(names: ReadonlySet<string>): OwnLayout {
  return { write: buildTemplate(FLAT.filter(({ path }) => names.has(path[0] as string))) }
}

/** The facts that decide how records are shown. */
type ShowingFacts = Pick<AccountFacts, 'dataReads' | 'responseShape' | 'useCodes' | 'emptyFields'>

function vocabularyOf({ useCodes, dataReads, emptyFields }: ShowingFacts): string {
  return `${useCodes} ${dataReads} ${emptyFields}`
}

/** Layouts of accounts, whole and with some fields, by name; dropped when there are many. */
const made = new Map<string, OwnLayout>()
const MADE_MAX = 200

/** Returns a layout, or the part of it below some `paths` of keys; unknown ones are ignored. */
export function partOf(facts: ShowingFacts, paths?: readonly string[]): OwnLayout {
  const layout = layoutOf(facts)
  const name = [layout, vocabularyOf(facts), ...(paths ?? ['whole layout'])].join(' ')
  const known = made.get(name)
  if (known !== undefined) return known
  const isAsked = (path: readonly string[]) =>
    path.some((_, at) => paths?.includes(path.slice(0, at + 1).join('.')) ?? true)
  const fields = listSources(layout, facts).filter(({ path }) => isAsked(path))
  const own = { write: buildTemplate(fields, facts.emptyFields === 'omit') }
  if (made.size >= MADE_MAX) made.clear()
  made.set(name, own)
  return own
}

/** Layouts by the facts themselves, which a cached account keeps. */
const shown = new WeakMap<ShowingFacts, Shown>()

/** Returns the layout of an account, with its use codes and the keys of its reads. */
export function shownTo(facts: ShowingFacts): Shown {
  const known = shown.get(facts)
  if (known !== undefined) return known
  const isPlain = vocabularyOf(facts) === 'contract v3 null'
  const own = isPlain ? layoutOf(facts) : partOf(facts)
  shown.set(facts, own)
  return own
}

/** Rendering is synchronous, so one object of each kind serves all requests. */
const record = new StoredRecord()
const output = new Output()
/** The property IDs of a list's records, for its audit. */
const ids = new Output()

/** One record as a text, for callers that parse it. Throws when its stored text is damaged. */
export function renderParcel(parcel: StoredParcel, layout: Shown): string {
  return render(() => show(parcel, layout)).toString()
}

/** The answer `{"property": …}`; `explain`: JSON next to it. Throws for a damaged text. */
export function renderProperty(parcel: StoredParcel, layout: Shown, explain?: string): Rendered {
  return render(() => {
    output.piece(PROPERTY)
    show(parcel, layout)
    if (explain !== undefined) {
      output.piece(EXPLAIN)
      output.text(explain)
    }
    output.piece(END)
  })
}

/**
 * The answer `{"properties": […], "metadata": …}`; `metadata`: JSON. Throws for a damaged text.
 */
export function renderList(
  parcels: readonly StoredParcel[],
  layout: Shown,
  metadata: string,
): Rendered {
  ids.clear()
  return render(() => {
    output.piece(PROPERTIES)
    parcels.forEach((parcel, at) => {
      if (at > 0) output.piece(COMMA)
      show(parcel, layout)
      writePropertyId(record, ids)
    })
    output.piece(METADATA)
    output.text(metadata)
    output.piece(END)
  })
}

/** Lists the property IDs of the list rendered last, a line each. */
export function listIds(): string {
  const text = ids.take().toString().slice(0, -1)
  return text.includes('\\') ? JSON.parse(`"${text.replaceAll('\n', '\\n')}"`) : text
}

const PROPERTY = pieceOf('{"property":')
const EXPLAIN = pieceOf(',"explain":')
const PROPERTIES = pieceOf('{"properties":[')
const COMMA = pieceOf(',')
const METADATA = pieceOf('],"metadata":')
const END = pieceOf('}')

function show(parcel: StoredParcel, layout: Shown): void {
  record.read(parcel)
  const writeRecord = typeof layout === 'string' ? write[layout] : layout.write
  writeRecord(record, output)
}

/** Starts with an empty output, even if a damaged record left an answer unfinished. */
function render(work: () => void): Rendered {
  boundPrograms()
  output.clear()
  work()
  return output.take()
}
