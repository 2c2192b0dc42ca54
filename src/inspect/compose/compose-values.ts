/** Values, taxes and years: which of a roll's numbers are assessed and which are of the market. */
import { readNumber } from '../../import/mapping/clean.ts'
import type { Guess } from '../recognize/guess.ts'
import type { Board } from './board.ts'

export function composeValues(board: Board): void {
  settlePlainValues(board)
  for (const field of [
    'totalAssessedValue',
    'assessedLandValue',
    'assessedBuildingValue',
    'totalMarketValue',
    'totalLandValue',
    'totalBuildingValue',
  ]) {
    board.put('fields', field, board.look(field))
  }
  composeSums(board)
  composeValueType(board)
  for (const field of ['taxableValue', 'exemptionAmount', 'taxValue', 'taxYear']) {
    board.put('fields', field, board.look(field))
  }
  for (const field of ['taxRateCodeArea', 'schoolDistrict']) {
    board.put('fields', field, board.look(field))
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

/** Values that say neither: they go with the total that they add up to; else with the only kind that there is; else they are assessed. */
function settlePlainValues(board: Board): void {
  const land = board.look('landValue')
  const building = board.look('buildingValue')
  const market = board.look('totalMarketValue')
  const assessed = board.look('totalAssessedValue')
  let names: Record<keyof typeof ASSESSED, string> = ASSESSED
  if (market !== undefined && (assessed === undefined || sumsBetter(board, market, assessed)))
    names = MARKET
  const plain = board.look('totalValue')
  // A total that land and buildings add up to, beside an assessed one that they do not: a share of it is assessed.
  if (
    market === undefined &&
    plain !== undefined &&
    assessed !== undefined &&
    sumsBetter(board, plain, assessed)
  )
    names = MARKET
  if (land === undefined && building === undefined && board.look('totalValue') !== undefined) {
    names = board.look('totalLandValue') === undefined ? ASSESSED : MARKET
  }
  for (const [plain, named] of Object.entries(names)) {
    if (board.look(named) === undefined) board.move(plain, named)
  }
}

/** Whether land and building values add up to one total more often than to another. */
function sumsBetter(board: Board, one: Guess, other: Guess): boolean {
  const parts = [board.look('landValue'), board.look('buildingValue')]
  return sumShare(board, parts, one) > sumShare(board, parts, other)
}

function sumShare(board: Board, parts: (Guess | undefined)[], total: Guess): number {
  let rows = 0
  let equal = 0
  for (const row of board.sample.kept) {
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

/** Taxable and exempt parts of land and buildings: their sums are what the record holds, and land and building values too. */
function composeSums(board: Board): void {
  const look = (field: string) => board.look(field)
  const parts = {
    taxableLand: look('taxableLand'),
    taxableBuilding: look('taxableBuilding'),
    exemptLand: look('exemptLand'),
    exemptBuilding: look('exemptBuilding'),
  }
  const add = (name: string, pair: (Guess | undefined)[], note: string) => {
    const there = pair.filter((guess) => guess !== undefined)
    if (there.length < pair.length || board.has('fields', name)) return
    board.add('fields', name, { sum: there.map(({ subject }) => subject.name) }, there, note)
  }
  if (look('taxableValue') === undefined) {
    add('taxableValue', [parts.taxableLand, parts.taxableBuilding], 'land and building')
  }
  if (look('exemptionAmount') === undefined) {
    add('exemptionAmount', [parts.exemptLand, parts.exemptBuilding], 'land and building')
  }
  const market = board.has('fields', 'totalMarketValue')
  const noLand = !board.has('fields', 'assessedLandValue') && !board.has('fields', 'totalLandValue')
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
function composeValueType(board: Board): void {
  const assessed = board.look('totalAssessedValue')
  const market = board.look('totalMarketValue')
  const [one, type] = market === undefined ? [assessed, 'assessed'] : [market, 'market']
  if (one === undefined || (market !== undefined && assessed !== undefined)) return
  const cases = [{ pattern: '.', gives: type }]
  board.put('fields', 'valueType', one, { cases }, `its total is the ${type} value`)
}

/** The roll's year: of a column, or the year that stands in the file's name. */
export function composeYear(board: Board, file: string): { year: number; why: string } | undefined {
  const own = board.look('assessedYear') ?? board.look('taxYear')
  if (own !== undefined) {
    board.put('fields', 'assessedYear', board.look('assessedYear'))
    board.put('fields', 'sourceRollYear', own)
    return undefined
  }
  for (const { name, meaning, contents } of board.subjects) {
    const [value = ''] = contents.texts
    if (contents.distinct !== 1 || contents.fill < 0.5 || !meaning.words.includes('roll')) continue
    const short = /^(\d\d)v\d/i.exec(value)
    const rule =
      short === null
        ? { column: name, cut: '(20\\d\\d)' }
        : { column: name, cut: '^(\\d\\d)', replace: [{ pattern: '^', with: '20' }] }
    if (short === null && !/20\d\d/.test(value)) continue
    board.entries.push({
      section: 'fields',
      name: 'sourceRollYear',
      value: rule,
      certainty: 0.65,
      why: `${name}: every row says ${value}`,
      columns: [name],
    })
    return undefined
  }
  const dated = board.subjects.find(({ meaning, contents }) => {
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
    board.entries.push({ section: 'fields', name: 'sourceRollYear', ...entry })
  }
  const found = /(?:^|\D)(20[0-3]\d)(?:\D|$)/.exec(file.split('/').at(-1) ?? '')?.[1]
  return found === undefined
    ? undefined
    : { year: Number(found), why: 'the year stands in the name of the file' }
}
