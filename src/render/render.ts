/** A parcel as an account sees it: chosen layout, JSON as UTF-8 bytes. Decision D1. */
import type { AccountFacts } from '../model/account.ts'
import { pieceOf } from './memory.ts'
import { Output, type Rendered } from './output.ts'
import { boundPrograms } from './program.ts'
import { type Stored, StoredRecord } from './record.ts'
import { buildTemplate } from './template.ts'
import { FLAT } from './v2-flat.ts'
import { NESTED } from './v3-nested.ts'

export type Layout = 'nested' | 'flat'

const write = { nested: buildTemplate(NESTED), flat: buildTemplate(FLAT) }

/** Rendering never waits, so one of each serves all. */
const record = new StoredRecord()
const output = new Output()

/** Nested only for accounts with the nested shape on v3 reads; everything else is flat (D1). */
export function layoutOf(facts: Pick<AccountFacts, 'dataReads' | 'responseShape'>): Layout {
  return facts.responseShape === 'nested' && facts.dataReads === 'v3' ? 'nested' : 'flat'
}

/** One record as a text, for those who read it again. Throws when its stored text is damaged. */
export function renderParcel(parcel: Stored, layout: Layout): string {
  return render(() => show(parcel, layout)).toString()
}

/** The single-property answer, contract part 2.2; a microsecond or two, decision 011. */
export function renderProperty(parcel: Stored, layout: Layout): Rendered {
  return render(() => {
    output.piece(PROPERTY)
    show(parcel, layout)
    output.piece(END)
  })
}

/** The list answer, contract parts 2.3 and 2.4; `metadata` is JSON. */
export function renderList(parcels: readonly Stored[], layout: Layout, metadata: string): Rendered {
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
const PROPERTIES = pieceOf('{"properties":[')
const COMMA = pieceOf(',')
const METADATA = pieceOf('],"metadata":')
const END = pieceOf('}')

function show(parcel: Stored, layout: Layout): void {
  record.read(parcel)
  write[layout](record, output)
}

/** What a damaged record left unfinished is written over. */
function render(work: () => void): Rendered {
  boundPrograms()
  output.clear()
  work()
  return output.take()
}
