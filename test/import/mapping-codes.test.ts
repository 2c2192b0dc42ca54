/** Use codes of mappings with a table: which of the roll's codes have one of docs/use-codes.md. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { Columns, compileValue } from '../../src/import/mapping/expression.ts'
import { loadMapping, type Value } from '../../src/import/mapping/mapping.ts'
import { readUseCode, USE_CODES } from '../../src/record/use-codes.ts'

const TEXAS =
  'A A1 A2 A3 B B1 B2 B3 B4 C C1 C2 D1 D2 E E1 F1 F2 G1 J1 J2 J3 J4 L1 L2 M1 N O O1 S X XA XV'
/** Rural land with or without a house, intangible property, and a builder's lots and houses. */
const TEXAS_NONE = 'E E1 N O O1'
const NEW_YORK =
  '105 120 210 220 230 240 260 270 281 311 330 340 411 415 416 421 433 449 461 482 500 620 ' +
  '710 822 910'
const OHIO =
  '100 110 200 300 310 400 401 402 403 420 440 499 500 501 510 520 530 550 599 600 640 650 685 690'

/** The roll's codes, as publishers list them; and those without a code of the contract. */
const TABLES: Record<string, { codes: string; none: string }> = {
  'tx-pacs': { codes: TEXAS, none: TEXAS_NONE },
  'tx-bexar': { codes: TEXAS, none: TEXAS_NONE },
  'tx-travis': { codes: TEXAS, none: TEXAS_NONE },
  'tx-stratmap': { codes: TEXAS, none: TEXAS_NONE },
  'tx-dallas': { codes: TEXAS, none: TEXAS_NONE },
  'tx-denton': { codes: TEXAS, none: TEXAS_NONE },
  'tx-harris': { codes: TEXAS, none: TEXAS_NONE },
  'oh-hamilton': { codes: OHIO, none: '' },
  'oh-ogrip': { codes: OHIO, none: '' },
  'ny-statewide': {
    codes: NEW_YORK,
    none: '',
  },
  'nj-modiv': { codes: '1 2 3A 3B 4A 4B 4C 5A 5B 15A 15B 15C 15D 15E 15F', none: '' },
  'wi-statewide': { codes: '1 2 3 4 5 5M 6 7', none: '' },
  'ar-camp': { codes: 'R RI RV CI CV AV', none: '' },
  'wa-current': { codes: '11 12 13 14 15 16 17 18 19 21 39 45 48 53 81 83 87 88 91 95', none: '' },
  'fl-dor-nal': {
    codes: Array.from({ length: 100 }, (_, at) => String(at).padStart(3, '0')).join(' '),
    none: '',
  },
  'ma-massgis-l3': {
    codes: '101 102 103 104 105 106 109 111 112 121 130 131 132 325 400 970',
    none: '',
  },
}

for (const [name, { codes, none }] of Object.entries(TABLES)) {
  test(`${name}: every code of the roll has a use code, or is listed as having none`, () => {
    const { fields } = loadMapping(name)
    const read = (value: Value | undefined, code: string) => {
      if (value === undefined) return null
      const names = [...new Set(columnsOf(value))]
      return compileValue(value, new Columns(names), [])?.(names.map(() => code)) ?? null
    }
    const without = codes.split(' ').filter((code) => {
      const words = read(fields.useDescription, code) ?? ''
      const use = read(fields.useCode, code) ?? readUseCode(null, words)
      if (use === null) return true
      const known = USE_CODES.get(use)
      assert.ok(known !== undefined, `${code} gives ${use}, which is no code`)
      const residential = read(fields.residential, code)
      if (residential !== null)
        assert.equal(residential === 'true', known.dwelling, `${code}: ${use} and residential`)
      return false
    })
    assert.deepEqual(without, none === '' ? [] : none.split(' '))
  })
}

function columnsOf(value: Value): string[] {
  if (typeof value === 'string') return [value]
  const own = value.column === undefined ? [] : [value.column].flat().slice(0, 1)
  return [...own, ...[...(value.first ?? []), ...(value.join ?? [])].flatMap(columnsOf)]
}
