/** Reads the parts that sheets need: names, paths, shared texts, formats. Source: ECMA-376. */
import type { Entry, ZipFile } from 'yauzl'
import { CommandError } from '../../../base/errors.ts'
import { type NumberForm, readForm } from './numbers.ts'
import { attributeOf, readXml, unescapeXml, type XmlEvent } from './xml.ts'

export type Workbook = {
  sheet: Entry
  /** Visible sheets that are not read, though none was asked for. */
  others: string[]
  texts: readonly string[]
  /** Number formats, by the number of a cell's style. */
  forms: readonly NumberForm[]
  from1904: boolean
}

/** Most characters of all shared texts together, so that a small file cannot fill the memory. */
const TEXTS_MAX = 268_435_456

/** Reads what the sheet `layer` needs, or the first visible one. Throws `CommandError`. */
export async function openWorkbook(
  zip: ZipFile,
  entries: ReadonlyMap<string, Entry>,
  shown: string,
  layer: string | undefined,
): Promise<Workbook> {
  const events = (name: string) => readEntry(zip, entries.get(name), `${shown}/${name}`)
  const book = await readBook(events('xl/workbook.xml'))
  const asked = layer?.toLowerCase()
  const found =
    asked === undefined
      ? (book.sheets.find(({ hidden }) => !hidden) ?? book.sheets[0])
      : book.sheets.find(({ name }) => name.toLowerCase() === asked)
  if (found === undefined) {
    const names = book.sheets.map(({ name }) => name).slice(0, 20)
    throw new CommandError(
      layer === undefined
        ? `${shown} holds no sheet`
        : `${shown} holds no sheet ${layer}; it holds ${names.join(', ')}`,
    )
  }
  const targets = await readRelations(events('xl/_rels/workbook.xml.rels'))
  const target = (targets.get(found.id) ?? '').replace(/^\/?(?:xl\/)?/, 'xl/')
  const sheet = entries.get(target)
  if (sheet === undefined)
    throw new CommandError(`${shown} is damaged: its sheet ${target} is missing`)
  const others = book.sheets.filter((one) => one !== found && !one.hidden)
  return {
    sheet,
    others: layer === undefined ? others.map(({ name }) => name).slice(0, 20) : [],
    texts: await readTexts(events('xl/sharedStrings.xml'), shown),
    forms: await readForms(events('xl/styles.xml')),
    from1904: book.from1904,
  }
}

/** Yields the XML events of an entry; none when the entry is missing. */
export async function* readEntry(
  zip: ZipFile,
  entry: Entry | undefined,
  shown: string,
): AsyncGenerator<XmlEvent[]> {
  if (entry === undefined) return
  yield* readXml((await zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>, shown)
}

type Events = AsyncIterable<XmlEvent[]>

async function each(pieces: Events, take: (event: XmlEvent) => void): Promise<void> {
  for await (const events of pieces) for (const event of events) take(event)
}

async function readBook(events: Events) {
  const sheets: { name: string; id: string; hidden: boolean }[] = []
  let from1904 = false
  await each(events, (event) => {
    if (event.kind !== 'open') return
    const of = (name: string) => attributeOf(event.attributes, name)
    if (event.name === 'workbookPr') from1904 = /^(?:1|true)$/.test(of('date1904') ?? '')
    if (event.name !== 'sheet') return
    const hidden = (of('state') ?? 'visible') !== 'visible'
    sheets.push({ name: of('name') ?? '', id: of('(?:\\w+:)?id') ?? '', hidden })
  })
  return { sheets, from1904 }
}

async function readRelations(events: Events): Promise<Map<string, string>> {
  const targets = new Map<string, string>()
  await each(events, (event) => {
    if (event.kind !== 'open' || event.name !== 'Relationship') return
    const id = attributeOf(event.attributes, 'Id')
    const target = attributeOf(event.attributes, 'Target')
    if (id !== undefined && target !== undefined) targets.set(id, target)
  })
  return targets
}

async function readTexts(events: Events, shown: string): Promise<string[]> {
  const texts: string[] = []
  const reader = new RichText()
  let size = 0
  await each(events, (event) => {
    reader.take(event)
    if (event.kind === 'open' && event.name === 'si') reader.clear()
    const isEnd =
      event.kind !== 'text' && event.name === 'si' && (event.kind === 'close' || event.isEmpty)
    if (!isEnd) return
    const text = reader.text()
    // An empty text takes memory too.
    size += text.length + 8
    if (size > TEXTS_MAX) {
      throw new CommandError(
        `${shown} has more than 268 million characters of texts: save it as CSV`,
      )
    }
    texts.push(text)
  })
  return texts
}

/** Joins the runs of a rich text, without its phonetic guides. */
export class RichText {
  #text = ''
  #isText = false
  #phonetic = false

  clear(): void {
    this.#text = ''
  }

  take(event: XmlEvent): void {
    if (event.kind === 'text') {
      if (this.#isText && !this.#phonetic) this.#text += event.text
      return
    }
    const isOpen = event.kind === 'open' && !event.isEmpty
    if (event.name === 't') this.#isText = isOpen
    if (event.name === 'rPh') this.#phonetic = isOpen
  }

  text(): string {
    return unescapeXml(this.#text)
  }

  /** Characters so far, with entities in their escaped form. */
  get length(): number {
    return this.#text.length
  }
}

async function readForms(events: Events): Promise<NumberForm[]> {
  const codes = new Map<number, string>()
  const forms: NumberForm[] = []
  let inCells = false
  await each(events, (event) => {
    if (event.kind === 'text') return
    if (event.name === 'cellXfs') inCells = event.kind === 'open'
    if (event.kind !== 'open') return
    const number = Number(attributeOf(event.attributes, 'numFmtId') ?? 0)
    if (event.name === 'numFmt')
      codes.set(number, attributeOf(event.attributes, 'formatCode') ?? '')
    if (event.name === 'xf' && inCells) forms.push(readForm(number, codes.get(number)))
  })
  return forms
}
