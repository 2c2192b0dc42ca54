/**
 * Renders stored parcels as JSON: these few functions, and nothing else of this folder is imported
 * elsewhere. How it works: docs/rendering.md.
 *
 * `giveBack` returns a buffer that has been sent, so that the next answer can use it.
 */
import type { Layout } from '../record/layout.ts'
import { pieceOf } from './memory.ts'
import { Output } from './output.ts'
import { boundPrograms } from './program.ts'
import { type Stored, StoredRecord } from './record.ts'
import { listSources } from './sources.ts'
import { buildTemplate } from './template.ts'

export { giveBack } from './output.ts'

/**
 * An answer's JSON: a text, mostly short and ASCII, or UTF-8 bytes that are given back by
 * `giveBack` once they are sent.
 */
export type Rendered = string | Buffer<ArrayBuffer>

/** What a record is shown as: a whole layout, or some fields of the flat one. */
export type Shown = Layout | PartLayout

/** Some fields of the flat layout; made by `partOfFlat`. */
type PartLayout = { write: ReturnType<typeof buildTemplate> }

const FLAT = listSources('flat')
const write = { nested: buildTemplate(listSources('nested')), flat: buildTemplate(FLAT) }

/** The flat layout with these fields alone, in its own order; names that it lacks are left out. */
export function partOfFlat(names: ReadonlySet<string>): PartLayout {
  return { write: buildTemplate(FLAT.filter(({ path }) => names.has(path[0] as string))) }
}

/** Rendering is synchronous, so one of each serves all requests. */
const record = new StoredRecord()
const output = new Output()

/** One record as a text, for callers that parse it. Throws when its stored text is damaged. */
export function renderParcel(parcel: Stored, layout: Shown): string {
  return render(() => show(parcel, layout)).toString()
}

/**
 * The answer `{"property": …}`; `explain` is JSON and stands beside it. Throws when the stored text
 * is damaged.
 */
export function renderProperty(parcel: Stored, layout: Shown, explain?: string): Rendered {
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
 * The answer `{"properties": […], "metadata": …}`; `metadata` is JSON. Throws when a stored text is
 * damaged.
 */
export function renderList(parcels: readonly Stored[], layout: Shown, metadata: string): Rendered {
  return render(() => {
    output.piece(PROPERTIES)
    parcels.forEach((parcel, at) => {
      if (at > 0) output.piece(COMMA)
      show(parcel, layout)
    })
    output.piece(METADATA)
    output.text(metadata)
    output.piece(END)
  })
}

const PROPERTY = pieceOf('{"property":')
const EXPLAIN = pieceOf(',"explain":')
const PROPERTIES = pieceOf('{"properties":[')
const COMMA = pieceOf(',')
const METADATA = pieceOf('],"metadata":')
const END = pieceOf('}')

function show(parcel: Stored, layout: Shown): void {
  record.read(parcel)
  const writeRecord = typeof layout === 'string' ? write[layout] : layout.write
  writeRecord(record, output)
}

/** Starts at the beginning of the output, also after a damaged record left an answer unfinished. */
function render(work: () => void): Rendered {
  boundPrograms()
  output.clear()
  work()
  return output.take()
}
