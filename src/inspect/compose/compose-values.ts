/** Values, taxes and years: which of a roll's numbers are assessed and which are of the market. */
import { readNumber } from '../../import/mapping/clean.ts'
import type { Guess } from '../recognize/guess.ts'
import type { DraftBuilder } from './draft-builder.ts'

/** Puts assessed and market values and taxes into the draft. */
export function composeValues(builder: DraftBuilder): void {
  settlePlainValues(builder)
  for (const field of [
    'totalAssessedValue',
    'assessedLandValue',
    'assessedBuildingValue',
    'totalMarketValue',
    'totalLandValue',
    'totalBuildingValue',
  ]) {
    builder.put('fields', field, builder.look(field))
  }
  composeSums(builder)
  composeValueType(builder)
  for (const field of ['taxableValue', 'exemptionAmount', 'taxValue', 'taxYear']) {
    builder.put('fields', field, builder.look(field))
  }
  for (const field of ['taxRateCodeArea', 'schoolDistrict']) {
    builder.put('fields', field, builder.look(field))
  }
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
 * Values that say neither: they go with the total that they add up to; else with the only kind that
 * there is; else they are assessed.
 */
function settlePlainValues(builder: DraftBuilder): void {
  const land = builder.look('landValue')
  const building = builder.look('buildingValue')
  const market = builder.look('totalMarketValue')
  const assessed = builder.look('totalAssessedValue')
  let names: Record<keyof typeof ASSESSED, string> = ASSESSED
  if (market !== undefined && (assessed === undefined || sumsBetter(builder, market, assessed)))
    names = MARKET
  // A land value alone, beside both totals, is of the market unless it adds up otherwise.
  const isLandAlone = land !== undefined && building === undefined
  if (isLandAlone && market && assessed && sumShare(builder, [land], assessed) < 0.5) names = MARKET
  const plain = builder.look('totalValue')
  // A total that land and buildings add up to, beside an assessed one that they do not: a share of
  // it is assessed.
  if (
    market === undefined &&
    plain !== undefined &&
    assessed !== undefined &&
    sumsBetter(builder, plain, assessed)
  )
    names = MARKET
  if (land === undefined && building === undefined && builder.look('totalValue') !== undefined) {
    names = builder.look('totalLandValue') === undefined ? ASSESSED : MARKET
  }
  for (const [plain, named] of Object.entries(names)) {
    if (builder.look(named) === undefined) builder.move(plain, named)
  }
}

/** Whether land and building values add up to one total more often than to another. */
function sumsBetter(builder: DraftBuilder, one: Guess, other: Guess): boolean {
  const parts = [builder.look('landValue'), builder.look('buildingValue')]
  return sumShare(builder, parts, one) > sumShare(builder, parts, other)
}

function sumShare(builder: DraftBuilder, parts: (Guess | undefined)[], total: Guess): number {
  let rows = 0
  let equal = 0
  for (const row of builder.sample.kept) {
    const whole = readNumber(row[total.subject.index] ?? '')
    if (whole === undefined || whole === 0) continue
    const sum = parts.reduce((left, part) => {
      return left + (part === undefined ? 0 : (readNumber(row[part.subject.index] ?? '') ?? 0))
    }, 0)
    rows += 1
    if (Math.abs(sum - whole) <= Math.max(2, whole * 0.02)) equal += 1
  }
  return rows === 0 ? 0 : equal / rows
}

/**
 * Taxable and exempt parts of land and buildings: their sums are what the record holds, and land
 * and building values too.
 */
function composeSums(builder: DraftBuilder): void {
  const look = (field: string) => builder.look(field)
  const parts = {
    taxableLand: look('taxableLand'),
    taxableBuilding: look('taxableBuilding'),
    exemptLand: look('exemptLand'),
    exemptBuilding: look('exemptBuilding'),
  }
  const add = (name: string, pair: (Guess | undefined)[], note: string) => {
    const there = pair.filter((guess) => guess !== undefined)
    if (there.length < pair.length || builder.has('fields', name)) return
    builder.add('fields', name, { sum: there.map(({ subject }) => subject.name) }, there, note)
  }
  if (look('taxableValue') === undefined) {
    add('taxableValue', [parts.taxableLand, parts.taxableBuilding], 'land and building')
  }
  if (look('exemptionAmount') === undefined) {
    add('exemptionAmount', [parts.exemptLand, parts.exemptBuilding], 'land and building')
  }
  const market = builder.has('fields', 'totalMarketValue')
  const noLand =
    !builder.has('fields', 'assessedLandValue') && !builder.has('fields', 'totalLandValue')
  if (!noLand) return
  add(
    market ? 'totalLandValue' : 'assessedLandValue',
    [parts.taxableLand, parts.exemptLand],
    'taxable and exempt',
  )
  add(
    market ? 'totalBuildingValue' : 'assessedBuildingValue',
    [parts.taxableBuilding, parts.exemptBuilding],
    'taxable and exempt',
  )
}

/** What the roll's one number is. */
function composeValueType(builder: DraftBuilder): void {
  const assessed = builder.look('totalAssessedValue')
  const market = builder.look('totalMarketValue')
  const [one, type] = market === undefined ? [assessed, 'assessed'] : [market, 'market']
  if (one === undefined || (market !== undefined && assessed !== undefined)) return
  const cases = [{ pattern: '.', gives: type }]
  builder.put('fields', 'valueType', one, { cases }, `its total is the ${type} value`)
}

/** The roll's year: of a column, or the year that stands in the file's name. */
export function composeYear(
  builder: DraftBuilder,
  file: string,
): { year: number; why: string } | undefined {
  const own = builder.look('assessedYear') ?? builder.look('taxYear')
  if (own !== undefined) {
    builder.put('fields', 'assessedYear', builder.look('assessedYear'))
    builder.put('fields', 'sourceRollYear', own)
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
    builder.entries.push({
      section: 'fields',
      name: 'sourceRollYear',
      value: rule,
      certainty: 0.65,
      why: `${name}: every row says ${value}`,
      columns: [name],
    })
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
    const entry = { value, certainty: 0.5, why, columns: [dated.name] }
    builder.entries.push({ section: 'fields', name: 'sourceRollYear', ...entry })
  }
  const found = /(?:^|\D)(20[0-3]\d)(?:\D|$)/.exec(file.split('/').at(-1) ?? '')?.[1]
  return found === undefined
    ? undefined
    : { year: Number(found), why: 'the year stands in the name of the file' }
}
