/** Use codes of a state: the table of a mapping in the box for the codes of a county's roll. */
import { Columns, compileValue } from '../../import/mapping/expression.ts'
import type { MappingDocument, ValueRule } from '../../import/mapping/mapping.ts'
import { type DraftBuilder, percent } from './draft-builder.ts'

/** Share of the rows whose code the state's table must know. */
const KNOWN = 0.95

/**
 * Drafts the use code by the table of the state's mapping, where that table knows the roll's codes:
 * `210` in New York is a one-family house in every county.
 */
export function composeStateCodes(
  builder: DraftBuilder,
  state: string | undefined,
  mappings: MappingDocument[] = [],
): void {
  const local = builder.look('useCode')
  if (state === undefined || local === undefined) return
  const { name: column } = local.subject
  const columns = new Columns(builder.sample.columns.map(({ name }) => name))
  for (const mapping of mappings) {
    const rule = tableOf(mapping)
    if (mapping.state !== state || rule === undefined) continue
    if (mapping.county !== undefined && mapping.statewideCodes !== true) continue
    const value = { ...rule, column }
    const get = compileValue(value, columns, [])
    const codes = builder.sample.kept.filter(
      (row) => (row[local.subject.index] ?? '').trim() !== '',
    )
    const known = codes.filter((row) => (get?.(row) ?? null) !== null).length / codes.length
    if (!(known >= KNOWN)) continue
    const words = builder.entries.find(({ name }) => name === 'useCode')
    builder.drop('useCode')
    const note = `${percent(known)} of the codes are in the table of the mapping ${mapping.name}`
    const both = words === undefined ? value : { first: [value, words.value] }
    builder.add('useCode', both, [{ ...local, certainty: 0.8 }], note)
    return
  }
}

/** The steps of a mapping's use code, if it is made from the code of the roll alone. */
function tableOf({ fields }: MappingDocument): ValueRule | undefined {
  const { useCode, useCodeLocal } = fields
  if (typeof useCode !== 'object' || typeof useCodeLocal !== 'string') return undefined
  const { codes, cases, cut, replace, otherwise, column } = useCode
  const isWhole = codes !== undefined || cases !== undefined
  if (!isWhole || column !== useCodeLocal || useCode.when !== undefined) return undefined
  const steps = { cut, replace, codes, cases, otherwise: otherwise ?? null }
  return Object.fromEntries(Object.entries(steps).filter(([, step]) => step !== undefined))
}
