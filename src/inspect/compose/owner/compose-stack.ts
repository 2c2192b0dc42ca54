/** An envelope in several columns: names above the street, the place in the last line with text. */
import { wordSet } from '../../../base/tables.ts'
import type { Value } from '../../../import/mapping/mapping.ts'
import { type Guess, guessOf } from '../../recognize/guess.ts'
import type { Subject } from '../../recognize/subject.ts'
import { shareOf } from '../../sample/contents.ts'
import { type DraftBuilder, percent } from '../draft-builder.ts'
import { OWN_LINE, PLACE_LINE, STREET_START, UNIT_START } from './envelope-lines.ts'

/** Share of rows whose last line is a place. */
const ENDS = 0.7

const PLACES = ['ownerState', 'ownerZipCode']
const NAMES = ['ownerName1', 'ownerName2']

const START = `(?:${STREET_START})`
const NEXT = `(?=(?:\\| ?(?:%|C\\s?/\\s?O\\b|ATTN\\b)[^|]*)?\\| ?${START})`
const RULES = {
  ownerAddressLine1: `(?:^|\\| ?)(${START}[^|]*(?:\\| ?(?:${UNIT_START})[^|]*)?) ?\\| ?[^|]*$`,
  ownerCityStateZip: `(?:^|\\| ?)(${PLACE_LINE})$`,
  ownerCareOf: `(?:^|\\| ?)((?:%|C\\s?/\\s?O\\b|CARE OF\\b|ATTN\\b)[^|]+)`,
  ownerName2: `^(?!${START}|${OWN_LINE})([^|0-9]+?) ?${NEXT}`,
}

/**
 * Adds the parts of an envelope whose lines are columns of their own and move up where a line is
 * missing. Returns `false` if there is no such envelope.
 */
export function composeStack(builder: DraftBuilder): boolean {
  const lines = findStack(builder)
  if (lines.length < 3) return false
  if (builder.look('ownerCity') !== undefined) {
    // Hennepin's `MAILING_MUNIC_NM` is the city of the parcel's post.
    const isWhole = PLACES.some((field) => builder.look(field) !== undefined)
    if (isWhole || builder.look('city') !== undefined) return false
    builder.move('ownerCity', 'city')
  }
  const join = lines.map(({ name }) => name)
  const guesses = lines.map((subject) => guessOf('ownerAddressLine1', subject, 0.8, [0.8, 0.8]))
  const texts = textsOf(builder, lines)
  for (const [field, cut] of Object.entries(RULES)) {
    const pattern = new RegExp(cut, 'iu')
    const share = shareOf(texts, (text) => pattern.test(text))
    const isCareOf = field === 'ownerCareOf'
    if (share === 0 || (isCareOf && builder.look(field) !== undefined)) continue
    // A care-of guessed in another line is less than one in its own envelope.
    if (isCareOf) builder.drop(field)
    // A unit in a line of its own follows its street.
    const replace = field === 'ownerAddressLine1' ? [{ pattern: ' ?\\| ?', with: ' ' }] : undefined
    const value: Value = { join, with: ' | ', cut, ...(replace && { replace }) }
    const note = `a line of the envelope in ${percent(share)} of rows`
    addLine(builder, field, value, { guesses, note })
  }
  return true
}

/** A second name above the street comes before a second owner in a column of its own. */
function addLine(
  builder: DraftBuilder,
  field: string,
  value: Value,
  { guesses, note }: { guesses: Guess[]; note: string },
): void {
  const own = builder.entry(field)
  if (own === undefined) {
    builder.add(field, value, guesses, note)
    return
  }
  own.value = { join: [own.value, value], with: ' & ', replace: [{ pattern: '& *&', with: '&' }] }
  own.why = `${own.why}; and ${note}`
  own.columns = [...own.columns, ...guesses.map(({ subject }) => subject.name)]
}

/** Neighbouring columns of the mail, the last filled of which is a place in most rows. */
function findStack(builder: DraftBuilder): Subject[] {
  const isLine = ({ meaning, contents }: Subject) =>
    meaning.words.some((word) => word === 'mail' || word === 'owner' || word === 'taxpayer') &&
    !meaning.words.some((word) => OTHER.has(word)) &&
    contents.texts.length > 0 &&
    contents.numeric < 0.3
  // A column of the owner's own name is above the envelope: its name is not a second one.
  const names = NAMES.flatMap((field) => builder.entry(field)?.columns ?? [])
  const stacks: Subject[][] = []
  for (const subject of builder.subjects) {
    const last = stacks.at(-1)
    if (!isLine(subject) || (names.includes(subject.name) && isParty(subject))) continue
    if (last?.at(-1)?.index === subject.index - 1) last.push(subject)
    else stacks.push([subject])
  }
  const found = stacks.map(withoutNames).filter((stack) => stack.length >= 3)
  return found.find((stack) => endsInPlace(builder, stack) && moves(stack)) ?? []
}
const OTHER = wordSet('state zip id kind code percent country')

const isParty = ({ contents: c }: Subject) => c.person + c.organization > 0.5

/** `OWNERNAM1` with persons names a party, and `OWNERADDR1` or `TAXPAYER_2` is a line. */
const withoutNames = (stack: Subject[]) =>
  stack.filter(
    ({ meaning: { words }, contents: c }) =>
      !words.some((word) => word === 'careof' || word === 'second') &&
      (words.some((word) => word !== 'owner' && word !== 'name') ||
        c.person + c.organization < 0.5) &&
      !(words.includes('name') && c.person + c.organization > 0.4),
  )

function endsInPlace(builder: DraftBuilder, stack: Subject[]): boolean {
  const texts = textsOf(builder, stack)
  const pattern = new RegExp(`(?:^|\\|) ?${PLACE_LINE}$`, 'i')
  return texts.length > 19 && shareOf(texts, (text) => pattern.test(text)) > ENDS
}

/** The place is in different columns, or it would be the place's own column. */
const moves = (stack: Subject[]) =>
  stack.filter(({ contents }) => contents.cityStateZip > 0.05).length > 1

function textsOf(builder: DraftBuilder, stack: Subject[]): string[] {
  return builder.sample.kept
    .map((row) =>
      stack
        .map(({ index }) => (row[index] ?? '').trim())
        .filter((text) => text !== '')
        .join(' | '),
    )
    .filter((text) => text !== '')
}
