/** Repairs unusual address lines: the number after the street, or padded with zeros. */
import { wordSet } from '../../base/tables.ts'
import { Columns, compileValue, ruleOf } from '../../import/mapping/expression.ts'
import { isNumberLast } from '../sample/text-kinds.ts'
import { type DraftBuilder, type Entry, percent } from './draft-builder.ts'

type Tidy = {
  test: (text: string) => boolean
  /** Share of lines from which the draft repairs them. */
  from: number
  replace: { pattern: string; with: string }[]
  note: string
  ofSite?: boolean
}

const TIDIES: Tidy[] = [
  {
    test: isNumberLast,
    from: 0.5,
    replace: [
      { pattern: ' 0+$', with: '' },
      {
        // The number of a highway is part of its name.
        pattern:
          '^(?!.*\\b(?:HWY|HIGHWAY|RT|RTE|ROUTE|SR|CR|US|FM|I|CO(?:UNTY)? ' +
          '(?:RD|ROAD|HWY))[ -]?\\d+$)((?:\\d+(?:ST|[NR]D|TH) |\\D).*?) 0*(\\d{1,6}[A-Z]?)$',
        with: '$2 $1',
      },
    ],
    note: 'have the number behind the street',
  },
  {
    test: (text) => /^0\d* +\S/.test(text),
    from: 0.005,
    replace: [
      { pattern: '^0+ +(?=\\d)', with: '' },
      { pattern: '^0+(?=[1-9])', with: '' },
      { pattern: '^0+ +(?=\\D)', with: '' },
    ],
    note: 'begin with zeros',
  },
  {
    test: (text) => /^9{5,} +\S/.test(text),
    from: 0.001,
    replace: [{ pattern: '^9{5,} +(?=\\S)', with: '' }],
    note: 'have nines for an unknown number',
    ofSite: true,
  },
]

const LINES = wordSet('address addressFull ownerAddressLine1 ownerAddressFull')

/** Adds repairs to each address line of the draft whose values need them. */
export function tidyLines(builder: DraftBuilder): void {
  const { sample, entries } = builder
  const columns = new Columns(sample.columns.map(({ name }) => name))
  for (const entry of entries) {
    if (entry.section !== 'fields' || !LINES.has(entry.name)) continue
    const get = compileValue(entry.value, columns, [])
    const lines = sample.kept.map((row) => get?.(row) ?? null).filter((text) => text !== null)
    const isOwners = entry.name.startsWith('owner')
    for (const tidy of TIDIES.filter((one) => !isOwners || one.ofSite !== true))
      addTidy(entry, tidy, lines)
  }
}

function addTidy(entry: Entry, { test, from, replace, note }: Tidy, lines: string[]): void {
  const share = lines.filter(test).length / Math.max(1, lines.length)
  if (share < from) return
  const rule = ruleOf(entry.value)
  entry.value = { ...rule, replace: [...(rule.replace ?? []), ...replace] }
  entry.why = `${entry.why}; ${percent(share)} of its lines ${note}`
}
