/** Drafts land and buildings of a parcel. */
import { readArea, readAreaUnit, readNumber } from '../../import/mapping/clean.ts'
import type { Value } from '../../import/mapping/mapping.ts'
import { type Guess, guessOf, SURE } from '../recognize/guess.ts'
import { scoreField } from '../recognize/score.ts'
import { sumOf } from '../recognize/settle-sums.ts'
import type { Subject } from '../recognize/subject.ts'
import { shareOf } from '../sample/contents.ts'
import { type DraftBuilder, percent } from './draft-builder.ts'

export function composeLand(builder: DraftBuilder): void {
  composeAreas(builder)
  for (const field of ['frontage', 'depthSize']) {
    const guess = builder.look(field)
    builder.put(field, guess, zeroIsUnknown(guess))
  }
  composeLegal(builder)
  for (const field of ['subdivision', ...SURVEY, 'zoningCode', 'zoningDescription']) {
    const guess = builder.look(field)
    if (guess === undefined || !isSurvey(guess.subject)) builder.put(field, guess)
  }
  composeSurvey(builder)
}

const SURVEY = ['section', 'township', 'range']
const isSurvey = ({ meaning }: Subject) => SURVEY.every((word) => meaning.words.includes(word))
/** `12-83-24`, `S12 T83N R24W`: three numbers. */
const THREE = new RegExp(
  String.raw`^[A-Z]{0,3}[. ]?\d{1,3}[NSEW]?[-/ ,]+[A-Z]{0,3}[. ]?\d{1,3}[NSEW]?[-/ ,]+[A-Z]` +
    String.raw`{0,3}[. ]?\d{1,3}[NSEW]?$`,
  'i',
)

/** Reads section, township and range from one column, in the order of its name. */
function composeSurvey(builder: DraftBuilder): void {
  const own = SURVEY.map((field) => builder.look(field)?.subject)
  if (own.some((subject) => subject !== undefined && !isSurvey(subject))) return
  const subject = builder.subjects.find(isSurvey)
  if (subject === undefined) return
  const { texts } = subject.contents
  const share = shareOf(texts, (text) => THREE.test(text))
  if (share < 0.8) return
  const order = subject.meaning.words.filter((word) => SURVEY.includes(word))
  for (const [at, field] of order.entries()) {
    const cut = `^(?:[A-Z .]*\\d+[NSEW]?[-/ ,]+){${at}}[A-Z .]*(\\d+[NSEW]?)`
    const guess = guessOf(field, subject, 0.8, [0.8, share])
    builder.put(field, guess, { cut }, 'the parts of one column')
  }
}

export const zeroIsUnknown = (guess: Guess | undefined): { nulls?: string[] } =>
  guess !== undefined && guess.subject.contents.zero > 0 ? { nulls: ['0'] } : {}

/**
 * Finds the unit of an area: from a column of units, the column's name, an acres column, or its
 * size.
 */
function composeAreas(builder: DraftBuilder): void {
  const area = builder.look('landArea')
  const acres = builder.look('acres')
  if (acres !== undefined) composeAcres(builder, acres)
  if (area === undefined) return
  const { name, meaning, contents } = area.subject
  const unitSource = unitColumn(builder)
  if (unitSource !== undefined) {
    const note = `its unit is in ${unitSource.name}`
    builder.put('landArea', area, { unit: unitSource.value }, note)
    return
  }
  const isSaid = shareOf(contents.texts, (text) => (readArea(text, '') ?? 0) > 0) > 0.9
  const own = NAMED_UNITS.find(([word]) => meaning.words.includes(word))?.[1]
  const named = isSaid ? 'square feet' : own
  const ratio = acres && medianRatio(builder, [area.subject], acres.subject)
  const guess =
    ratio === undefined ? undefined : UNITS.find(([, from, to]) => ratio > from && ratio < to)
  if (guess !== undefined) {
    const [unit] = guess
    const note = `${Math.round(ratio ?? 0)} of it make one of ${acres?.subject.name}`
    builder.put('landArea', area, { unit }, note)
  } else if (named !== undefined) {
    const note = isSaid ? 'its values name their unit' : 'its name contains the unit'
    builder.put('landArea', area, { unit: named }, note)
  } else if (contents.median > 0 && contents.median < 80 && contents.decimal > 0.3) {
    if (acres === undefined)
      builder.add('acres', name, [area], {
        why: `half of its values are below ${contents.median}: acres`,
        most: 0.75,
      })
  } else {
    const sizes = contents.texts.map((text) => readNumber(text) ?? 0).filter((size) => size > 0)
    const isMixed = [(size: number) => size < 100, (size: number) => size >= 2000].every(
      (test) => shareOf(sizes, test) > 0.1,
    )
    const most = contents.median > 400 && !isMixed ? 0.8 : SURE - 0.05
    const note = isMixed
      ? 'its values are of two units'
      : `half of its values are below ${Math.round(contents.median)}: square feet`
    builder.add('landArea', { column: name, unit: 'square feet' }, [area], {
      why: note,
      most,
    })
  }
}

/** Words of a column's name that say its unit. */
const NAMED_UNITS = [
  ['sqft', 'square feet'],
  ['hectares', 'hectares'],
  ['meters', 'square meters'],
] as const

/** Uses the first known of deeded and assessed acres, and computed ones where the roll has none. */
function composeAcres(builder: DraftBuilder, acres: Guess): void {
  const others = builder.subjects.filter((subject) => {
    const { byName, byContents } = scoreField('acres', subject)
    return subject.index !== acres.subject.index && byName >= 0.7 && byContents > 0.6
  })
  if (others.length === 0) {
    builder.put('acres', acres)
    return
  }
  const all = [acres.subject, ...others].map(({ name }) => name)
  const [recorded, computed] = [false, true].map((is) => all.filter((n) => COMPUTED.test(n) === is))
  const names = [...(recorded ?? []), ...(computed ?? [])]
  const columns = names.map((column) => ({ column, nulls: ['0'] }))
  const note = `else ${names.slice(1).join(', ')}`
  builder.add('acres', { first: columns }, [acres], note)
}

/** Names of acres that a map was measured for, which nobody recorded. */
const COMPUTED = /(?<!RE)GIS|CALC|COMP|POLY|SHAPE|GEO|MAP(?!LE)/i

/**
 * Units with the range of area divided by acres by which each is known. It is the number of units
 * in an acre, a fifth less to a fifth more, rounded.
 */
const UNITS: [string, number, number][] = [
  ['acres', 0.8, 1.2],
  ['square feet', 35_000, 52_000],
  ['square meters', 3240, 4860],
  ['hectares', 0.32, 0.48],
]

function unitColumn(builder: DraftBuilder): { value: Value; name: string } | undefined {
  const guess = builder.look('areaUnit')
  if (guess === undefined) return undefined
  const codes: Record<string, string> = {}
  for (const text of new Set(guess.subject.contents.texts)) {
    const unit = readAreaUnit(text) ?? (/^s/i.test(text) ? 'square feet' : undefined)
    if (unit !== undefined) codes[text] = unit
  }
  if (Object.keys(codes).length === 0) return undefined
  const { name } = guess.subject
  return { value: { column: name, codes }, name }
}

/** The median of amounts divided by another, of ten rows or more; `least` and less do not count. */
export function medianRatio({ sample }: DraftBuilder, parts: Subject[], whole: Subject, least = 0) {
  const ratios = sample.kept
    .map((row) => sumOf(row, parts) / sumOf(row, [whole]))
    .filter((ratio) => ratio > least && ratio < Number.POSITIVE_INFINITY)
    .sort((a, b) => a - b)
  return ratios.length < 10 ? undefined : ratios[Math.floor(ratios.length / 2)]
}

/**
 * Joins the columns of the legal description, and cuts block and lot from it when they have no
 * column.
 */
function composeLegal(builder: DraftBuilder): void {
  const legal = builder.look('legalDesc')
  const more = [
    ...builder.all('legalMore'),
    ...(legal === undefined ? [] : linesOf(builder, legal)),
  ]
    .filter((one, at, all) => all.findIndex(({ subject }) => subject === one.subject) === at)
    .sort((a, b) => lineOf(a.subject) - lineOf(b.subject))
  if (legal !== undefined) {
    const names = [legal, ...more].map(({ subject }) => subject.name)
    const value: Value = names.length === 1 ? legal.subject.name : { join: names }
    builder.add('legalDesc', value, [legal])
  }
  for (const { field, cut } of CUTS) {
    const own = builder.look(field)
    if (own !== undefined) builder.take(field)
    else if (legal !== undefined) {
      const pattern = new RegExp(cut, 'iu')
      const share = shareOf(legal.subject.contents.texts, (text) => pattern.test(text))
      if (share < 0.25) continue
      builder.add(field, { column: legal.subject.name, cut }, [legal], {
        why: `cut out of ${percent(share)} of the legal texts`,
        most: 0.7,
      })
    }
  }
}

/** `LEGAL2` after `LEGAL1` holds what the first one had no room for, or a section alone. */
function linesOf(builder: DraftBuilder, legal: Guess): Guess[] {
  const stemOf = ({ name }: Subject) => name.replace(LINE_NUMBER, '').toUpperCase()
  const { words } = legal.subject.meaning
  return builder.subjects
    .filter((one) => {
      const isSame =
        one.meaning.words.join() === words.join() || stemOf(one) === stemOf(legal.subject)
      return lineOf(one) > 1 && isSame
    })
    .map((subject) => ({ ...legal, subject }))
}
const LINE_NUMBER = /[_ ]?([1-9])$/
const lineOf = ({ name, meaning }: Subject) =>
  meaning.ordinal || Number(LINE_NUMBER.exec(name)?.[1] ?? 0)

/** Cuts the only one: `LOT 8&9`, `LOT 3-6` and `LOT 4, PT LOT 5` name several. */
const cutOnly = (words: string) => {
  const list = '(?:[-&,/+]|AND\\b|THRU\\b|THROUGH\\b|TO\\b)'
  const part = `(?:(?:PT|PART|ALL)\\.? (?:OF )?)?(?:(?:${words})S? )?`
  const next = `(?! ?${list} ?${part}(?:\\d|[A-Z]\\b))`
  const mark = '[.: ]{1,3}(?:#|NO[. ]{1,2})?'
  // `LOT OF LAND`, `LOT SE COR`: no letters of a lot.
  const id =
    '(?:\\d\\w{0,8}|(?!(?:A[NST]|B[EY]|I[NST]|LY|N[EOW]|O[FNR]|PT|S[EW]|TO)\\b)[A-Z]{1,2})\\b'
  const other = `\\b(?:${words})S?${mark}(?:\\d|${id})`
  // Only the first of several is ever tried, which keeps long texts fast.
  return `^(?:(?!${other}).)*\\b(?:${words})${mark}(${id})${next}(?!.*${other})`
}

export const CUTS = [
  { field: 'blockNum', cut: cutOnly('BLOCK|BLK|BL') },
  { field: 'lotNum', cut: cutOnly('LOT|LT') },
]
