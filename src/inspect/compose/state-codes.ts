/** Use codes of a state: the table of a mapping in the box for the codes of a county's roll. */
import { cleanText } from '../../import/mapping/clean.ts'
import { Columns, columnKey, compileValue } from '../../import/mapping/expression.ts'
import type { MappingDocument, Value, ValueRule } from '../../import/mapping/mapping.ts'
import { readUseCode } from '../../record/use-codes.ts'
import { type DraftBuilder, percent } from './draft-builder.ts'

/** Share of the rows whose code the state's table must know. */
const KNOWN = 0.95

/**
 * Drafts the use code by the table of the state's mapping, where that table knows the roll's codes.
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
    const finer = words === undefined ? {} : findFiner(builder, words.value, (row) => get?.(row))
    const first = Object.keys(finer.codes ?? {}).length === 0 ? [] : [finer]
    const both = words === undefined ? value : { first: [...first, value, words.value] }
    const said =
      first.length === 0 ? note : `${note}; texts that say more than its classes are first`
    builder.add('useCode', both, [{ ...local, certainty: 0.8 }], said)
    return
  }
  composeStateTexts(builder, state, mappings)
}

/** The texts of the roll's codes, where it has none, and the uses that they say. */
function composeStateTexts(
  builder: DraftBuilder,
  state: string,
  mappings: MappingDocument[],
): void {
  const local = builder.look('useCode')
  if (local === undefined || builder.has('useDescription')) return
  const { name: column, index, contents } = local.subject
  const filled = builder.sample.kept.map((row) => (row[index] ?? '').trim()).filter(Boolean)
  for (const { name, fields, state: of, county, statewideCodes } of mappings) {
    const { useDescription: texts, useCode, residential } = fields
    if (of !== state || (county !== undefined && statewideCodes !== true)) continue
    if (typeof texts !== 'object' || texts.column !== fields.useCodeLocal) continue
    const codes = texts.codes ?? {}
    // `1` to `9` are codes of many lists.
    const isOwn = columnKey(column) === columnKey(String(texts.column))
    if (!isOwn && filled.some((code) => code.length < 3)) continue
    const step = stepTo(Object.keys(codes), filled)
    const known =
      filled.filter((code) => (step?.read(code) ?? code) in codes).length / filled.length
    if (!(known >= KNOWN) || contents.texts.length === 0) continue
    const given =
      typeof useCode === 'object' && useCode.column === texts.column ? useCode.codes : {}
    const uses = Object.entries(codes).map(([code, text]) => {
      return [code, readUseCode(textOf(given?.[code]), textOf(text))] as const
    })
    const from = [{ ...local, certainty: 0.8 }]
    const note = `${percent(known)} of the codes are in the table of the mapping ${name}`
    const add = (field: string, rule: ValueRule) =>
      builder.has(field) || builder.add(field, { ...rule, ...step?.rule, column }, from, note)
    // The county's own code has a text of its own.
    if (step === undefined) add('useDescription', { codes, otherwise: null })
    add('useCode', { codes: Object.fromEntries(uses), otherwise: null })
    if (typeof residential === 'object' && residential.column === texts.column)
      add('residential', residential)
    return
  }
}

/** Florida's `0100` is the class `001` with two digits of the county's. */
function stepTo(keys: readonly string[], codes: readonly string[]) {
  const isShort = keys.every((key) => /^0\d\d$/.test(key))
  if (!isShort || !codes.every((code) => /^\d{4}$/.test(code))) return undefined
  const rule = { cut: '^(\\d\\d)\\d\\d$', replace: [{ pattern: '^', with: '0' }] }
  return { rule, read: (code: string) => `0${code.slice(0, 2)}` }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : null)

/** Codes of a class in general, with the first digits of what it may be in particular. */
const CLASSES: Readonly<Record<string, RegExp>> = {
  1000: /^(?:1[01]|8001)/,
  1100: /^11/,
  2000: /^(?:[234]|8002)/,
  5000: /^(?:[56]|8003)/,
  7000: /^(?:7|8008|1008)/,
  8000: /^8/,
  9000: /^9[12]/,
  9100: /^9[12]/,
  9200: /^92/,
}

/** Texts whose own code is one of the class that the table gives all of their rows. */
function findFiner(
  builder: DraftBuilder,
  words: Value,
  getClass: (row: readonly string[]) => string | null | undefined,
): ValueRule {
  if (typeof words !== 'object' || words.codes === undefined) return {}
  const { column = '', codes } = words
  const index = builder.sample.columns.findIndex(({ name }) => name === column)
  const classes = new Map<string, Set<string>>()
  for (const row of builder.sample.kept) {
    const text = cleanText(row[index] ?? '')
    classes.set(text, (classes.get(text) ?? new Set()).add(getClass(row) ?? ''))
  }
  const finer = Object.entries(codes).filter(([text, code]) => {
    const own = [...(classes.get(text) ?? [''])]
    return own.every((one) => code !== one && CLASSES[one]?.test(String(code)) === true)
  })
  return { column, codes: Object.fromEntries(finer), otherwise: null }
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
