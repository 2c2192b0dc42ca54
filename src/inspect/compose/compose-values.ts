/**
 * Drafts values, taxes and years: decides which amounts are assessed values and which are market
 * values.
 */
import { wordSet } from '../../base/tables.ts'
import { columnKey } from '../../import/mapping/expression.ts'
import type { MappingDocument, Value } from '../../import/mapping/mapping.ts'
import { type Guess, guessOf, SURE } from '../recognize/guess.ts'
import { scoreField } from '../recognize/score.ts'
import { sumOf } from '../recognize/settle-sums.ts'
import type { Subject } from '../recognize/subject.ts'
import { shareOf } from '../sample/contents.ts'
import { medianRatio } from './compose-land.ts'
import { columnsIn, type DraftBuilder } from './draft-builder.ts'

export function composeValues(
  builder: DraftBuilder,
  state: string | undefined,
  mappings: MappingDocument[] = [],
): void {
  settlePlainValues(builder, state, mappings)
  builder.take('totalAssessedValue', 'assessedLandValue', 'assessedBuildingValue')
  builder.take('totalMarketValue', 'totalLandValue', 'totalBuildingValue')
  composeParts(builder)
  composeSums(builder)
  composeNet(builder)
  composeValueType(builder)
  builder.take('taxableValue')
  composeExemption(builder)
  builder.take('taxValue', 'taxYear')
  composeYears(builder)
  builder.take('taxRateCodeArea', 'schoolDistrict')
}

const ASSESSED = {
  landValue: 'assessedLandValue',
  buildingValue: 'assessedBuildingValue',
  totalValue: 'totalAssessedValue',
}
const MARKET = {
  landValue: 'totalLandValue',
  buildingValue: 'totalBuildingValue',
  totalValue: 'totalMarketValue',
}

/**
 * Assigns values not named as either kind. They go to the kind whose total they add up to, else to
 * the only kind present. Else they go to what a mapping of the state says of its column. Else they
 * are market values where the state assesses a part, unless they are that part (`isPart`).
 */
function settlePlainValues(
  builder: DraftBuilder,
  state: string | undefined,
  mappings: MappingDocument[],
): void {
  const plain = builder.look('totalValue')?.subject
  const named = ['totalAssessedValue', 'totalMarketValue'].some((one) => builder.look(one))
  const isMarket = (one: MappingDocument) =>
    one.state === state && isMarketIn(one, plain?.name ?? '', builder)
  const isOfState = (total: Subject) =>
    mappings.some(isMarket) || (OF_PART.has(state ?? '') && !isPart(builder, total))
  const isSaid = !named && plain !== undefined && state !== undefined && isOfState(plain)
  const names = isSaid || isMarketRoll(builder) ? MARKET : ASSESSED
  for (const [plain, named] of Object.entries(names)) {
    if (builder.look(named) === undefined) builder.move(plain, named)
  }
}

/** States that assess or tax homes at a part of their value: a value that is one says so there. */
const OF_PART = wordSet('AL AR CO GA KS MI MO MS MT ND NM OH OK SC TN UT WY')

/** Sold for far more, taxed but for exemptions, or next to its ratio: the total is assessed. */
function isPart(builder: DraftBuilder, total: Subject): boolean {
  const subjectsOf = (field: string) => builder.all(field).map(({ subject }) => subject)
  const price = medianRatio(builder, subjectsOf('transfers.transferPrice'), total, 0.1) ?? 0
  const isTaxed = (one: Subject) =>
    (medianRatio(builder, [one, ...subjectsOf('exemptionAmount')], total) ?? 0) > 0.6
  const isSign = (one: Subject) =>
    RATIO.test(one.name) || (TAXED.test(one.meaning.words.join(' ')) && isTaxed(one))
  return price > 1.5 || builder.subjects.some(isSign)
}
const RATIO = /^(?:AS\w+[_ ]?)?RATIOS?$/i
const TAXED = /taxable|net.*value/

/** The state's own layout: a mapping reads the ID and the total from columns of these names. */
function isMarketIn({ fields }: MappingDocument, total: string, { subjects }: DraftBuilder) {
  const names = new Set(subjects.map(({ name }) => columnKey(name)))
  const reads = (value: Value | undefined, test: (key: string) => boolean) =>
    value !== undefined && columnsIn(value).map(columnKey).some(test)
  return (
    reads(fields.parcelId, (key) => names.has(key)) &&
    reads(fields.totalMarketValue, (key) => key === columnKey(total))
  )
}

function isMarketRoll(builder: DraftBuilder): boolean {
  const [land, building, plain, market, assessed, taxable] = VALUES.map((one) => builder.look(one))
  const share = (total: Subject | undefined) =>
    total === undefined ? 0 : sumShare(builder, [land, building], total)
  if (!market && !assessed && plain && taxable && isFixedShare(builder, taxable, plain)) return true
  if (!land && !building && plain) return builder.look('totalLandValue') !== undefined
  const ofAssessed = share(assessed?.subject)
  // Wisconsin's estimate of the market value, next to parts and a total of another kind.
  const isOther = share(plain?.subject) > 0.9 && share(market?.subject) < 0.5
  if (market && !assessed) return !(land && building && isOther)
  // A land value alone, next to both totals, is a market value unless the sums say otherwise.
  if (market) return share(market.subject) > ofAssessed || (!!land && !building && ofAssessed < 0.5)
  // The assessed value may be a share of the plain total, or of what land and buildings add up to.
  if (plain && assessed && share(plain.subject) > ofAssessed) return true
  if (!land || !building) return false
  // A column that is named as a market value, however doubtful.
  const isDoubted = builder.subjects.some((one) => isMarketTotal(one) && share(one) > 0.8)
  return isDoubted || (!plain && !!assessed && ofAssessed < 0.2)
}

const VALUES = [
  ...['landValue', 'buildingValue', 'totalValue'],
  ...['totalMarketValue', 'totalAssessedValue', 'taxableValue'],
]

const isMarketTotal = (subject: Subject) =>
  subject.meaning.words.includes('market') &&
  !subject.meaning.words.some((word) => PART_WORDS.has(word)) &&
  scoreField('totalMarketValue', subject).byContents === 1
const PART_WORDS: ReadonlySet<string> = new Set(['land', 'building', 'improvement'])

/** Taxed at a third or a fifth of its value: the whole is then the market value. */
function isFixedShare({ sample }: DraftBuilder, part: Guess, whole: Guess): boolean {
  const shares = sample.kept
    .map((row) => {
      const [some, all] = [sumOf(row, [part.subject]), sumOf(row, [whole.subject])]
      return all > 1000 && some > 0 ? some / all : undefined
    })
    .filter((share) => share !== undefined)
    .sort((a, b) => a - b)
  const most = shares[Math.floor(shares.length * 0.9)] ?? 1
  const near = shares.filter((share) => Math.abs(share - most) < 0.005)
  return shares.length > 19 && most < 0.7 && near.length > shares.length * 0.4
}

function sumShare(
  builder: DraftBuilder,
  parts: (Guess | undefined)[],
  ...totals: Subject[]
): number {
  const there = parts.flatMap((part) => part?.subject ?? [])
  const rows = builder.sample.kept
    .map((row) => [sumOf(row, there), sumOf(row, totals)] as const)
    .filter(([, whole]) => whole !== 0)
  return shareOf(rows, ([sum, whole]) => Math.abs(sum - whole) <= Math.max(2, whole * 0.02))
}

/**
 * Land and buildings in several columns: dwellings and other buildings, `ASRLANDRES` and
 * `ASRLANDCOM`, `IMPR 1 VALUE` and `IMPR 2 VALUE`, a homestead and the rest, as `LAND_HMSTD` and
 * `LAND_NON_H`. Where only all of them add up to the total, each value is a sum.
 */
function composeParts(builder: DraftBuilder): void {
  const named = [partsOf(builder, 'land'), partsOf(builder, 'improvement', 'building')]
  for (const kind of [MARKET, ASSESSED]) {
    const fields = [kind.landValue, kind.buildingValue, kind.totalValue]
    const [land, one, total] = fields.map((field) => builder.look(field))
    if (total === undefined) continue
    const addUp = (parts: Guess[][]) => sumShare(builder, parts.flat(), total.subject) > 0.95
    const ways = land && one ? waysOf(builder, kind, land, one) : []
    const sums = [...ways, ...(named[0]?.length === 1 ? [] : [named])].find(addUp)
    for (const [at, parts] of (sums ?? []).entries()) {
      const field = at === 0 ? kind.landValue : kind.buildingValue
      const sum = parts.map(({ subject }) => subject.name)
      const isKept = sums !== named || builder.entry(field)?.columns.join() === sum[0]
      if (sum.length === 0 || (sum.length === 1 && isKept)) continue
      for (const other of PART_FIELDS)
        if (builder.entry(other)?.columns.some((name) => sum.includes(name))) builder.drop(other)
      const from = parts.map((part) => ({ ...part, field }))
      builder.add(field, { sum }, from, `all parts add up to ${total.subject.name}`)
    }
    if (sums === named) return
  }
}
const PART_FIELDS = [ASSESSED, MARKET].flatMap((kind) => Object.values(kind))

/** The columns of land and buildings in each way that they may be divided; first undivided. */
function waysOf(builder: DraftBuilder, kind: typeof MARKET, land: Guess, one: Guess): Guess[][][] {
  const withParts = (guess: Guess, isPart: (subject: Subject) => boolean) =>
    builder.subjects
      .filter((subject) => subject.index === guess.subject.index || isPart(subject))
      .map((subject): Guess => ({ ...guess, subject }))
  const isBuilding = (subject: Subject) => {
    const { byName, byContents } = scoreField(kind.buildingValue, subject)
    return byName >= 0.8 && byContents > 0.25
  }
  const divided = [land, one].map((of) => withParts(of, (part) => isPartOf(part, of.subject)))
  return [[[land], [one]], [[land], withParts(one, isBuilding)], divided]
}

function partsOf({ subjects }: DraftBuilder, ...kinds: string[]): Guess[] {
  const found = subjects.filter(({ meaning: { words }, contents: c }) => {
    const isOther = words.some((word) => NO_PART.has(word)) || c.numeric < 0.9 || c.date > 0.5
    return !isOther && words.some((word) => kinds.includes(word))
  })
  return found.map((subject) => guessOf('', subject, 0.8, [0.8, 1]))
}
const NO_PART = wordSet(
  'alternate taxable exemption sale area sqft acres agricultural use total year new code',
)

/** Reports whether two columns differ only in the class of use, or in their number. */
function isPartOf(subject: Subject, one: Subject): boolean {
  if (subject.contents.numeric < 0.9) return false
  const stem = CLASS.exec(one.name)?.[1]
  if (stem !== undefined) return CLASS.exec(subject.name)?.[1] === stem
  const isSame = subject.meaning.words.join() === one.meaning.words.join()
  return isSame && one.meaning.ordinal > 0 && subject.meaning.ordinal > 1
}
const CLASS = /^(.{3,}?)_?(?:RES|COM|AG|IND|FARM)$/i

/** Sums the taxable and exempt parts of land and buildings: the record holds the sums. */
function composeSums(builder: DraftBuilder): void {
  const parts = ['taxableLand', 'taxableBuilding', 'exemptLand', 'exemptBuilding']
  const [land, building, exemptLand, exemptBuilding] = parts.map((part) => builder.look(part))
  const add = (name: string, pair: (Guess | undefined)[], note: string) => {
    const there = pair.filter((guess) => guess !== undefined)
    if (there.length < pair.length || builder.has(name)) return
    builder.add(name, { sum: there.map(({ subject }) => subject.name) }, there, note)
  }
  if (builder.look('taxableValue') === undefined)
    add('taxableValue', [land, building], 'land and building')
  if (builder.look('exemptionAmount') === undefined)
    add('exemptionAmount', [exemptLand, exemptBuilding], 'land and building')
  const market = builder.has('totalMarketValue')
  const noLand = !builder.has('assessedLandValue') && !builder.has('totalLandValue')
  if (!noLand) return
  if (!market && land && building && !exemptLand && !exemptBuilding) {
    const note = 'the only values of land and buildings'
    builder.put('assessedLandValue', land, {}, note)
    builder.put('assessedBuildingValue', building, {}, note)
  }
  const kind = market ? MARKET : ASSESSED
  add(kind.landValue, [land, exemptLand], 'taxable and exempt')
  add(kind.buildingValue, [building, exemptBuilding], 'taxable and exempt')
}

/**
 * Several exemptions of different kinds, without a column of their total, are added up. Where the
 * assessed less the taxable value is not their sum, the draft doubts it.
 */
function composeExemption(builder: DraftBuilder): void {
  const guess = builder.look('exemptionAmount')
  if (guess === undefined) return
  const isOther = ({ meaning: { words }, contents: c }: Subject) =>
    words.includes('exemption') &&
    !words.some((word) => NO_AMOUNT.has(word)) &&
    c.numeric > 0.95 &&
    c.high > 100
  const { index } = guess.subject
  const all = builder.subjects.filter((one) => one.index === index || isOther(one))
  const total = all.find(({ meaning }) =>
    meaning.words.every((word) => OF_TOTAL.has(word) && meaning.ordinal === 0),
  )
  if (total !== undefined || all.length < 2) {
    builder.put('exemptionAmount', total ? { ...guess, subject: total } : guess)
    return
  }
  const parts = all.map((subject): Guess => ({ ...guess, subject }))
  const taxable = builder.look('taxableValue')
  const wholes = ['totalAssessedValue', 'totalMarketValue'].map((field) => builder.look(field))
  const isWhole = (whole: Guess) =>
    taxable !== undefined && sumShare(builder, [...parts, taxable], whole.subject) > 0.9
  const seen = wholes.filter((whole) => whole !== undefined)
  const isSum = taxable === undefined || seen.length === 0 || seen.some(isWhole)
  const why = isSum
    ? 'exemptions of different kinds add up'
    : 'several columns, whose sum is not what the taxable value is less'
  const sum = all.map(({ name }) => name)
  const note = { why, most: isSum ? guess.certainty : SURE - 0.1 }
  builder.add('exemptionAmount', { sum }, [guess], note)
}
const NO_AMOUNT = wordSet(
  'code year date percent land building improvement status description kind tax',
)
const OF_TOTAL = wordSet('exemption total value county site tax')

/** Land and buildings that add up to the taxable value and its exemption: that is the total. */
function composeNet(builder: DraftBuilder): void {
  const parts = [ASSESSED.landValue, ASSESSED.buildingValue].map((field) => builder.look(field))
  const taxable = builder.look('taxableValue')?.subject
  const has = [ASSESSED, MARKET].some(({ totalValue }) => builder.look(totalValue) !== undefined)
  const there = parts.filter((part) => part !== undefined)
  if (has || taxable === undefined || there.length < 2) return
  const exempt = builder.look('exemptionAmount')?.subject
  const isSum = (...less: Subject[]) => sumShare(builder, there, taxable, ...less) > 0.95
  if (!isSum() && !(exempt && isSum(exempt))) return
  const sum = there.map(({ subject }) => subject.name)
  builder.add(ASSESSED.totalValue, { sum }, there, `${taxable.name} is as much before exemptions`)
}

/** Decides the kind of a roll's only value. */
function composeValueType(builder: DraftBuilder): void {
  const assessed = builder.look('totalAssessedValue')
  const market = builder.look('totalMarketValue')
  const [one, type] = market === undefined ? [assessed, 'assessed'] : [market, 'market']
  if (one === undefined || (market !== undefined && assessed !== undefined)) return
  const cases = [{ pattern: '.', gives: type }]
  builder.put('valueType', one, { cases }, `its total is the ${type} value`)
}

/** `taxes_2019`: the year in the amount's name is that of the tax or of the assessment. */
function composeYears(builder: DraftBuilder): void {
  for (const [field, amounts] of YEARS) {
    if (builder.look(field) !== undefined) continue
    const guess = amounts.map((name) => builder.look(name)).find((one) => one?.subject.year)
    if (guess === undefined) continue
    const { name: column, year = 0 } = guess.subject
    const value = { column, cases: [{ pattern: '.', gives: year }] }
    builder.add(field, value, [guess], `the year in the name of ${column}`)
  }
}
const YEARS: [string, string[]][] = [
  ['taxYear', ['taxValue']],
  ['assessedYear', ['totalAssessedValue', 'totalMarketValue', 'taxableValue']],
]

/** Finds the roll's year: from a column, or from the file's name. */
export function composeYear(
  builder: DraftBuilder,
  file: string,
): { year: number; why: string } | undefined {
  if (!builder.has('totalMarketValue') && !builder.look('assessedYear'))
    builder.move('marketValueYear', 'assessedYear')
  const years = ['assessedYear', 'taxYear', 'marketValueYear'].map((field) => builder.look(field))
  const own = years.find((guess) => guess !== undefined)
  if (own !== undefined) {
    builder.take('assessedYear', 'marketValueYear')
    // A year in few rows is that of something else.
    if (own.subject.contents.fill > 0.5) builder.put('sourceRollYear', own)
    return undefined
  }
  for (const { name, meaning, contents } of builder.subjects) {
    const [value = ''] = contents.texts
    if (contents.distinct !== 1 || contents.fill < 0.5 || !meaning.words.includes('roll')) continue
    const short = /^(\d\d)v\d/i.exec(value)
    const rule =
      short === null
        ? { column: name, cut: '(20\\d\\d)' }
        : { column: name, cut: '^(\\d\\d)', replace: [{ pattern: '^', with: '20' }] }
    if (short === null && !/20\d\d/.test(value)) continue
    const why = `${name}: every row says ${value}`
    builder.add('sourceRollYear', rule, [], { why, most: 0.65 })
    return undefined
  }
  const dated = builder.subjects.find(({ meaning, contents }) => {
    const words = meaning.words.filter((word) => word !== 'value' && word !== 'market')
    return (
      ['assessed date', 'roll date', 'date assessed'].includes(words.join(' ')) &&
      contents.date > 0.8
    )
  })
  if (dated !== undefined) {
    const why = 'the year of the assessment; the roll may be of the year after'
    const value = { column: dated.name, cut: '((?:19|20)\\d\\d)' }
    builder.add('sourceRollYear', value, [], { why, most: 0.5 })
  }
  const found = /(?:^|\D)(20[0-3]\d)(?:\D|$)/.exec(file.split('/').at(-1) ?? '')?.[1]
  return found === undefined
    ? undefined
    : { year: Number(found), why: 'the year is in the name of the file' }
}
