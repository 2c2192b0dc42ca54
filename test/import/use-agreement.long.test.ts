/**
 * Use codes of real rolls against what another column of the roll says of homes, as in
 * docs/use-codes.md. The rolls are not part of the project: without them these tests skip.
 */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { Columns, compileValue } from '../../src/import/mapping/expression.ts'
import {
  listMappingNames,
  loadMapping,
  type MappingDocument,
} from '../../src/import/mapping/mapping.ts'
import { draftDocument } from '../../src/inspect/compose/show-draft.ts'
import { inspectFile } from '../../src/inspect/inspect.ts'
import { readUseCode, USE_CODES } from '../../src/record/use-codes.ts'
import { TODAY } from './small-roll.ts'
import { type Row, readTable } from './tables.ts'

const DATA = fileURLToPath(new URL('../../../shared/data/', import.meta.url))
const skip = existsSync(DATA) ? false : 'the folder of real rolls is not beside the checkout'

type Roll = {
  file: string
  /** A mapping in the box, or what a draft is told. */
  mapping: string | { state: string; county: string }
  /** Whether a row has a use. */
  used: (row: Row) => boolean
  /** Whether it is a home; null where the roll does not decide. */
  home: (row: Row) => boolean | null
}

const HOMES = /^(?:Single Family|Townhouse|Acreage|Duplex|Conversion|High Rise|Mobile Home)/
const known = (text = '') => text.trim() !== ''

const ROLLS: Record<string, Roll> = {
  // A residential lot without floor area is no home, whatever may be built on it.
  Lancaster: {
    file: 'ne-lancaster/lancaster_parcels.csv.gz',
    mapping: 'ne-lancaster',
    used: ({ PRIMEUSE }) => known(PRIMEUSE),
    home: ({ PRIMEUSE = '', CLASSCD, RESFLRAREA }) =>
      PRIMEUSE === 'Multi-Family' ||
      (HOMES.test(PRIMEUSE) && (CLASSCD !== 'R2' || Number(RESFLRAREA) > 0)),
  },
  // Land use 4 mixes homes and shops.
  Manhattan: {
    file: 'ny-manhattan-pluto/MN.csv.zip',
    mapping: 'ny-pluto',
    used: ({ LandUse }) => known(LandUse),
    home: ({ LandUse }) => (Number(LandUse) === 4 ? null : Number(LandUse) < 4),
  },
  Philadelphia: {
    file: 'pa-philadelphia-opa/opa_properties_public_sample.csv',
    mapping: 'pa-philadelphia-opa',
    used: ({ category_code }) => known(category_code),
    home: ({ category_code }) => ['1', '2', '14'].includes(category_code?.trim() ?? ''),
  },
  Easthampton: {
    file: 'ma-easthampton-massgis/parcels_joined.csv',
    mapping: 'ma-massgis-l3',
    used: ({ USE_CODE }) => known(USE_CODE) && USE_CODE !== 'NA',
    home: ({ USE_CODE = '' }) => /^(?:01|10(?!6)|11|12)/.test(USE_CODE),
  },
  Maricopa: {
    file: 'others/az-maricopa.csv',
    mapping: { state: 'AZ', county: 'Maricopa' },
    used: ({ PUC }) => known(PUC),
    home: (row) => /^(?:3\.|4\.[12]$)/.test(row['Current Tax Year Legal Class'] ?? ''),
  },
  Dutchess: {
    file: 'others/ny-dutchess.csv',
    mapping: { state: 'NY', county: 'Dutchess' },
    used: ({ property_type }) => known(property_type),
    home: ({ property_type = '', property_desc = '' }) =>
      /^2/.test(property_type) || /Apartment|hsing pk/i.test(property_desc),
  },
}

async function draft(path: string, place: { state: string; county: string }) {
  const mappings = listMappingNames().map(loadMapping)
  return draftDocument((await inspectFile(path, { today: TODAY, mappings, ...place })).draft)
}

for (const [name, { file, mapping, used, home }] of Object.entries(ROLLS)) {
  test(`${name}: 97 % of uses have a code, and 99 % of the codes agree on homes`, {
    skip,
  }, async (t) => {
    const path = join(DATA, file)
    const { fields } =
      typeof mapping === 'string' ? loadMapping(mapping) : await draft(path, mapping)
    const rows = await readTable(path)
    const columns = new Columns(Object.keys(rows[0] ?? {}))
    const read = ({ useCode, useDescription }: MappingDocument['fields']) =>
      [useCode, useDescription].map((rule) =>
        rule === undefined ? undefined : compileValue(rule, columns, []),
      )
    const [code, words] = read(fields)
    const uses = rows.filter(used).map((row) => {
      const values = Object.values(row)
      const use = readUseCode(code?.(values) ?? null, words?.(values) ?? null)
      return { dwelling: use === null ? null : USE_CODES.get(use)?.dwelling, home: home(row) }
    })
    const coded = uses.filter(({ dwelling }) => dwelling !== null)
    const judged = coded.filter((use) => use.home !== null)
    const agree = judged.filter((use) => use.home === use.dwelling)
    const percent = (part: number, all: number) => (100 * part) / all
    const [filled, agreed] = [
      percent(coded.length, uses.length),
      percent(agree.length, judged.length),
    ]
    t.diagnostic(
      `${uses.length} with a use, ${filled.toFixed(2)} % coded; ${judged.length} judged, ` +
        `${agreed.toFixed(2)} % agree`,
    )
    assert.ok(filled >= 97 && agreed >= 99, `${filled} % coded, ${agreed} % agree`)
  })
}
