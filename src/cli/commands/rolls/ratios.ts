/** `platbook ratios`: the ratio study of a county, or of a list of values and prices. */
import { CommandError } from '../../../base/errors.ts'
import { openList } from '../../../enrich/read-list.ts'
import {
  GROUPS,
  type RatioQuestion,
  type RatioReport,
  studyCounty,
} from '../../../operations/sales/ratio-report.ts'
import { USE_STANDARD_CODE } from '../../../operations/shared-parameters.ts'
import { type Pair, STATISTICS } from '../../../sales/ratio-statistics.ts'
import { finishStudy, type RatioGroup, SEED, studyGroup } from '../../../sales/ratio-study.ts'
import { type CommandArgs, type CommandIo, command } from '../../command.ts'
import { readDay, readWord } from '../../option-values.ts'
import { readPlace, withParcels } from '../../rolls.ts'
import { formatTable, printResult } from '../../table.ts'

type OptionValues = CommandArgs['values']
/** A cell of a list that is no number. `line`: of the file, counted from 1. */
type Unreadable = { line: number; column: string; text: string }
type Shown = Pick<RatioReport, 'groups' | 'seed'> & {
  excluded: Record<string, number>
  /** The first of them; absent without. */
  unreadable?: Unreadable[]
}

/** Unreadable cells that are named. */
const NAMED_MAX = 20

export const ratiosCommand = command('ratios', async ({ values }, io) => {
  const report = values.csv === undefined ? await studyRoll(values, io) : await studyList(values)
  printResult(io, report, describe(report))
})

async function studyRoll(values: OptionValues, io: CommandIo): Promise<Shown> {
  if (values.trim !== undefined) throw new CommandError('--trim is for --csv', 2)
  const asked = readQuestion(values)
  const pause = async () => undefined
  const readMax = Number.POSITIVE_INFINITY
  return withParcels(io, (parcels) => studyCounty(asked, { parcels, pause, readMax }))
}

function readQuestion(values: OptionValues): RatioQuestion {
  const text = (name: string) => (values[name] === undefined ? undefined : String(values[name]))
  const { state, fips } = readPlace(values)
  if (state === undefined || fips === undefined) {
    throw new CommandError('--state and --county are required, or --csv', 2)
  }
  const basis = readWord(values, 'basis', ['market', 'assessed'] as const) ?? 'market'
  const groupBy = readWord(values, 'group-by', GROUPS)
  for (const name of ['from', 'to']) readDay(values, name)
  const use = text('use')
  const { is, says } = USE_STANDARD_CODE.pattern
  if (use !== undefined && !is.test(use)) throw new CommandError(`--use ${says}`, 2)
  return {
    ...{ state, fips, basis, groupBy },
    ...{ municipality: text('municipality'), useStandardCode: use },
    ...{ from: text('from'), to: text('to') },
  }
}

async function studyList(values: OptionValues): Promise<Shown> {
  const { csv } = values
  const asListed = readWord(values, 'trim', ['yes', 'no']) === 'no'
  const { columns, rows } = await openList(String(csv))
  // “Sale Price” is sale_price.
  const folded = columns.map((column) =>
    column
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_'),
  )
  const [estimateAt, priceAt, groupAt] = ['estimate', 'sale_price', 'group'].map((name) =>
    folded.indexOf(name),
  ) as [number, number, number]
  const missing = [...(estimateAt < 0 ? ['estimate'] : []), ...(priceAt < 0 ? ['sale_price'] : [])]
  if (missing.length > 0) {
    const found = columns.map((name) => name.trim()).join(', ')
    throw new CommandError(
      `${csv} has no column ${missing.join(' and no column ')}; its columns are ${found}`,
    )
  }
  const list: ReadList = { groups: new Map(), excluded: {}, unreadable: [] }
  for await (const { line, cells, broken } of rows) {
    if (broken === undefined && cells.every((cell) => cell.trim() === '')) continue
    const key = groupAt < 0 ? 'all' : cells[groupAt]?.trim() || 'unknown'
    const [estimate = '', price = ''] = [cells[estimateAt], cells[priceAt]]
    if (broken === undefined) addPair(list, line, { estimate, price, key })
    else addUnreadable(list, { line, column: '', text: broken })
  }
  if (list.groups.size === 0) list.groups.set('all', [])
  const studied = [...list.groups].map(([key, pairs]) =>
    finishStudy(studyGroup(key, pairs, { asListed })),
  )
  const trimmed = studied.reduce((sum, group) => sum + group.trimmed, 0)
  return {
    groups: studied,
    excluded: { ...list.excluded, ...(trimmed && { trimmed }) },
    ...(list.unreadable.length > 0 && { unreadable: list.unreadable }),
    seed: SEED,
  }
}

type ReadList = {
  groups: Map<string, Pair[]>
  excluded: Record<string, number>
  unreadable: Unreadable[]
}

/** Adds a row's pair to its group, or counts why it has none. */
function addPair(
  list: ReadList,
  line: number,
  { estimate, price, key }: { estimate: string; price: string; key: string },
): void {
  const [value, paid] = [readDollars(estimate), readDollars(price)]
  if (value === undefined || paid === undefined) {
    const [column, text] = value === undefined ? ['estimate', estimate] : ['sale_price', price]
    addUnreadable(list, { line, column, text })
  } else if (value === null || paid === null || value <= 0 || paid <= 0) {
    const reason = paid === null || paid <= 0 ? 'noPrice' : 'noValue'
    list.excluded[reason] = (list.excluded[reason] ?? 0) + 1
  } else {
    const pairs = list.groups.getOrInsertComputed(key, () => [])
    pairs.push({ estimate: value, price: paid })
  }
}

function addUnreadable({ excluded, unreadable }: ReadList, cell: Unreadable): void {
  excluded.unreadable = (excluded.unreadable ?? 0) + 1
  if (unreadable.length < NAMED_MAX) unreadable.push(cell)
}

const DOLLARS =
  /^(\()?([-+])?(?:US)?\$?([-+])?((?:\d+|\d{1,3}(?:,\d{3})+)?(?:\.\d*)?(?:e[-+]?\d+)?)(\))?$/i

/** Reads `1234.5`, `$1,234.50`, `(1,234)`, `1e5`. Null for a blank, `undefined` for other texts. */
export function readDollars(text: string): number | null | undefined {
  const bare = text.replace(/\s|\u00a0|(?:USD|US dollars?)$/gi, '')
  if (bare === '') return null
  const [, open, sign, second, digits = '', close] = DOLLARS.exec(bare) ?? []
  if (!/^\.?\d/.test(digits) || (open === undefined) !== (close === undefined)) return undefined
  if (sign !== undefined && second !== undefined) return undefined
  const value = Number(digits.replaceAll(',', ''))
  if (!Number.isFinite(value)) return undefined
  return open !== undefined || sign === '-' || second === '-' ? -value : value
}

function describe({ groups, excluded, unreadable = [] }: Shown): string[] {
  const lines: string[] = []
  for (const group of groups) lines.push(...describeGroup(group), '')
  const left = Object.entries(excluded).map(([reason, count]) => `${count} ${reason}`)
  const named = unreadable.map(({ line, column, text }) =>
    column === ''
      ? `line ${line}: ${text}`
      : `line ${line}: ${column} ${JSON.stringify(text.slice(0, 40))} is no number`,
  )
  return [...lines, `left out: ${left.length === 0 ? 'none' : left.join(', ')}`, ...named]
}

function describeGroup(group: RatioGroup): string[] {
  const head = `${group.key}: ${group.n.toLocaleString('en-US')} sales`
  const reason = group.reason === undefined ? '' : ` (${group.reason})`
  if (group.median === null) return [`${head}${reason}. ${group.judgement}`]
  const rows = STATISTICS.map((name) => {
    const digits = name === 'cod' ? 1 : 3
    const one = group[name]
    const cells = one === null ? ['-', '-', '-'] : [one.value, one.low, one.high]
    return [name, ...cells.map((cell) => (typeof cell === 'string' ? cell : cell.toFixed(digits)))]
  })
  const table = formatTable(['statistic', 'value', 'low', 'high'], rows, ['value', 'low', 'high'])
  return [`${head}${reason}. ${group.judgement}`, ...table]
}
