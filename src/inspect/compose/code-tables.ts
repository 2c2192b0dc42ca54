/** Drafts uses and whether they are dwellings, and the code tables of a layer's description. */
import { columnKey } from '../../import/mapping/expression.ts'
import type { Value } from '../../import/mapping/mapping.ts'
import { TEXT_PREFIX } from '../../import/readers/coded.ts'
import { readUseCode } from '../../record/use-codes.ts'
import type { Guess } from '../recognize/guess.ts'
import { gives, ROWS_MIN } from '../recognize/settle-uses.ts'
import type { ColumnHints } from '../sample/column-hints.ts'
import { DWELLING, NO_DWELLING, partWords } from '../sample/text-kinds.ts'
import { type DraftBuilder, type Entry, percent } from './draft-builder.ts'

export function composeUse(builder: DraftBuilder): void {
  const description = builder.look('useDescription')
  const coded = description !== undefined && isCodeAndText(description) ? description : undefined
  const read = (field: string) => followingCode(builder, builder.look(field), coded)
  const code = read('useCode')
  builder.put('useCodeLocal', code)
  if (coded === undefined) builder.put('useDescription', description)
  else putCodeAndText(builder, coded, code === undefined ? 'useCodeLocal' : 'useCodeLocal2')
  if (code !== undefined && coded !== undefined && isSameCode(builder, code, coded))
    builder.drop('useCodeLocal2')
  if (!builder.has('useCodeLocal2')) builder.put('useCodeLocal2', read('useCodeLocal'))
  const spoken =
    description ?? (code !== undefined && code.subject.contents.dwelling > 0.1 ? code : undefined)
  if (spoken !== undefined) putUseTable(builder, spoken)
  if (spoken !== undefined && spoken.subject.contents.dwelling > 0.03) {
    const cases = [
      { pattern: NO_DWELLING.source, gives: false },
      { pattern: DWELLING.source, gives: true },
    ]
    const codes = readWords(spoken)
    const rule = { ...(Object.keys(codes).length === 0 ? {} : { codes }), cases, otherwise: false }
    const note = `${percent(spoken.subject.contents.dwelling)} speak of dwellings`
    builder.put('residential', spoken, rule, note)
  }
}

/**
 * A code next to a column of codes and texts, if one of the two follows from the other. A
 * `classification` next to `1111 - Single Family` is of something else.
 */
function followingCode(
  { sample }: DraftBuilder,
  code: Guess | undefined,
  coded: Guess | undefined,
): Guess | undefined {
  if (code === undefined || coded === undefined || sample.kept.length < ROWS_MIN) return code
  const [one, other] = [code.subject, coded.subject]
  return gives(one, other, sample) || gives(other, one, sample) ? code : undefined
}

function isSameCode({ sample }: DraftBuilder, code: Guess, coded: Guess): boolean {
  const [own, other] = [code.subject.index, coded.subject.index]
  return sample.kept.every(
    (row) => (CODE_AND_TEXT.exec(row[other] ?? '')?.[1] ?? '') === (row[own] ?? '').trim(),
  )
}

/**
 * Drafts the code of each text that occurs. Texts that are not recognized are listed with null, to
 * be filled in.
 */
function putUseTable(builder: DraftBuilder, guess: Guess): void {
  const texts = [...new Set(guess.subject.contents.texts)].sort()
  if (texts.length > LISTED_MAX) return
  const codes = Object.fromEntries(
    texts.map((text) => [text, readUseCode(null, partWords(text))] as const),
  )
  const known = Object.values(codes).filter((code) => code !== null).length
  if (known === 0) return
  const note = `${known} of ${texts.length} texts are recognized; docs/use-codes.md has the codes`
  builder.put('useCode', guess, { codes, otherwise: null }, note)
}

/** `1010 - SINGLE FAM`, `R: Residential`, `210 1 Family`: a code, a sign or a blank, and words. */
const CODE_AND_TEXT = new RegExp(
  String.raw`^(\d[A-Z0-9]{0,5}(?= ?[-:])|[A-Z]{1,2}\d{0,4}(?= ?[-:])|[A-Z]{2,5}_[A-Z]{1,3}(?= - )` +
    String.raw`|\d{3,4}(?= ))[ :-]{1,3}(?=\d? ?[A-Z])`,
  'i',
)

/** Reports whether a column's texts begin with a code for the words that follow it. */
function isCodeAndText({ subject }: Guess): boolean {
  const { texts } = subject.contents
  const codes = texts.map((text) => CODE_AND_TEXT.exec(text)?.[1])
  const known = codes.filter((code) => code !== undefined)
  const all = new Set(texts.filter((_, at) => codes[at])).size
  const isOneToOne = new Set(known).size === all
  // `201 - Residential`, `201 - Residential 1 Unit`: one class of several texts.
  const isSigned = texts.every((text) => /^\d\w* - /.test(text)) && new Set(known).size * 2 > all
  return known.length > texts.length * 0.9 && (isOneToOne || isSigned)
}

function putCodeAndText(builder: DraftBuilder, guess: Guess, field = 'useCodeLocal'): void {
  const column = guess.subject.name
  const { source } = CODE_AND_TEXT
  const code: Value = { column, cut: source }
  const text: Value = { column, replace: [{ pattern: source, with: '' }] }
  const note = 'the column has both code and description'
  builder.add(field, code, [guess], note)
  builder.add('useDescription', text, [guess], note)
}

const LISTED_MAX = 60

/**
 * Lists the texts that no pattern finds: `ResImp`, `CommImp`, words written together. Where few
 * speak of dwellings, an unknown `SINGLFAM` may do so too: it is null.
 */
function readWords({ subject }: Guess): Record<string, boolean | null> {
  const texts = [...new Set(subject.contents.texts)]
  if (texts.length > LISTED_MAX) return {}
  const isFew = subject.contents.dwelling < FEW
  const [no, yes] = [NO_DWELLING, DWELLING].map(({ source }) => new RegExp(source, 'i'))
  const listed = texts.map((text) => {
    const words = partWords(text)
    const [isOther, isHome] = [no?.test(words) === true, yes?.test(words) === true]
    const isKnown = isOther || isHome || !isFew || readUseCode(null, words) !== null
    if (!isKnown) return [text, null] as const
    return words === text ? undefined : ([text, !isOther && isHome] as const)
  })
  return Object.fromEntries(listed.filter((one) => one !== undefined))
}

/** In most rolls more of the texts speak of dwellings. */
const FEW = 0.3

/** A table with more codes is a list of places or persons. */
const MOST_CODES = 400

/** Fields that keep a code, and the field that holds the code's text. */
const TEXT_OF: Readonly<Record<string, string>> = {
  useCodeLocal: 'useDescription',
  zoningCode: 'zoningDescription',
}

/** Fields that hold a recorded code, a number or a place; a code table does not improve them. */
const RAW =
  /^(?:parcelId|alternateParcelIds|county|state|useCode(Local2)?|residential|owner(State|ZipCode))$/

/** Replaces codes by their texts when no column of the rows has the texts. */
export function addCodeTables(builder: DraftBuilder, hints: ColumnHints | undefined): void {
  if (hints === undefined) return
  const columns = new Set(builder.sample.columns.map(({ name }) => columnKey(name)))
  for (const entry of [...builder.entries]) {
    const { value, section, name } = entry
    if (typeof value !== 'string' || RAW.test(name)) continue
    const codes = hints.get(columnKey(value))?.codes
    if (codes === undefined || codes.size === 0 || codes.size > MOST_CODES) continue
    if (columns.has(columnKey(TEXT_PREFIX + value))) continue
    const coded = { column: value, codes: Object.fromEntries(codes) }
    const why = `${entry.why}; its texts are the layer's code table`
    const textField = TEXT_OF[name]
    if (textField === undefined)
      Object.assign(entry, { value: coded, why } satisfies Partial<Entry>)
    else if (!builder.has(`${section}.${textField}`)) {
      builder.entries.push({ ...entry, name: textField, value: coded, why })
    }
    if (name === 'useCodeLocal') addUseCodes(builder, entry, value, codes)
  }
}

/** Drafts the use code of each code whose text is recognized. */
function addUseCodes(
  builder: DraftBuilder,
  entry: Entry,
  column: string,
  texts: ReadonlyMap<string, string>,
): void {
  if (builder.has('useCode')) return
  const codes = Object.fromEntries(
    [...texts].map(([code, text]) => [code, readUseCode(null, text)] as const),
  )
  const why = "by the texts of the layer's code table; docs/use-codes.md has the codes"
  builder.entries.push({
    ...entry,
    name: 'useCode',
    value: { column, codes, otherwise: null },
    why,
  })
}
