/** Renders a draft as text and as a mapping document. */
import { basename } from 'node:path'
import { ruleOf } from '../../import/mapping/expression.ts'
import type { MappingDocument } from '../../import/mapping/mapping.ts'
import { SURE } from '../recognize/guess.ts'
import type { Draft } from './draft.ts'
import { type Entry, percent, type Section } from './draft-builder.ts'
import type { Setting } from './settings.ts'

/** Returns the mapping of a draft's certain entries. */
export function draftDocument(draft: Draft): MappingDocument {
  return JSON.parse(showDraft(draft), (key, value) =>
    key.startsWith('//') ? undefined : value,
  ) as MappingDocument
}

/**
 * Renders a draft as JSON with one entry per line, its certainty and reason in a property `//`.
 * Uncertain entries are commented out by `// ` before their name; removing it enables them.
 * `schema`: where an editor finds the JSON Schema. docs/decisions/inspect.md.
 */
export function showDraft(draft: Draft, schema?: string): string {
  const lines = [
    ...(schema === undefined ? [] : [property('$schema', schema)]),
    property(
      '//',
      'Draft by platbook inspect. Read each line: its reason follows it. Lines ' +
        'whose name begins with // are ignored; remove the // where they are right.',
    ),
    property('name', draft.name),
    property('title', `${draft.name}: draft of ${basename(draft.file)}`),
    ...draft.settings.flatMap(showSetting),
    ...showObject('fields', draft.entries, 'fields'),
    ...showAlternates(draft.entries),
    ...showSets('buildings', draft.entries),
    ...showSets('transfers', draft.entries),
  ]
  return `{\n${joinLines(lines)}\n}\n`
}

/** Adds a comma to every line that another property or item follows. */
function joinLines(lines: string[]): string {
  return lines
    .map((line, at) => {
      const next = lines[at + 1]?.trim()
      const opens = /[{[]$/.test(line)
      const last = next === undefined || /^[}\]]/.test(next)
      return opens || last ? line : `${line},`
    })
    .join('\n')
}

function property(name: string, value: unknown, depth = 1): string {
  return `${'  '.repeat(depth)}${JSON.stringify(name)}: ${showValue(value)}`
}

/** Renders JSON on one line, with a blank after each comma and colon as the formatter does. */
function showValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(showValue).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const parts = Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .map(([name, one]) => `${JSON.stringify(name)}: ${showValue(one)}`)
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
}

function showSetting({ name, value, certainty, why }: Setting): string[] {
  const live = certainty >= SURE
  const note =
    why === ''
      ? []
      : [property(`// ${name}${live ? ' because' : ' perhaps'}`, `${percent(certainty)}: ${why}`)]
  return [...note, property(live ? name : `// ${name}`, value)]
}

function showEntry(entry: Entry, depth: number): string {
  const { name, certainty } = entry
  return property(certainty >= SURE ? name : `// ${name}`, explained(entry), depth)
}

const explained = ({ value, certainty, why }: Entry) => ({
  ...ruleOf(value),
  '//': `${percent(certainty)}: ${why}`,
})

function showObject(name: string, entries: Entry[], section: Section): string[] {
  const own = entries.filter((entry) => entry.section === section)
  return [
    `  ${JSON.stringify(name)}: {`,
    ...distinct(own).map((entry) => showEntry(entry, 2)),
    '  }',
  ]
}

/** Drops repeated names: JSON parsers keep the last, and editors report an error. */
function distinct(entries: Entry[]): Entry[] {
  const seen = new Set<string>()
  return entries.filter((entry) => {
    const key = `${entry.certainty >= SURE} ${entry.name}`
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew
  })
}

function showAlternates(entries: Entry[]): string[] {
  const own = entries.filter(({ section }) => section === 'alternateParcelIds')
  const sure = own.filter(({ certainty }) => certainty >= SURE)
  const items = (some: Entry[]) => some.map((entry) => `    ${showValue(explained(entry))}`)
  const doubtful = own.filter(({ certainty }) => certainty < SURE)
  return [
    ...(sure.length === 0 ? [] : ['  "alternateParcelIds": [', ...items(sure), '  ]']),
    ...(doubtful.length === 0 ? [] : ['  "// alternateParcelIds": [', ...items(doubtful), '  ]']),
  ]
}

function showSets(name: string, entries: Entry[]): string[] {
  const own = entries.filter(({ section }) => section.startsWith(name))
  const bySection = Map.groupBy(own, ({ section }) => section)
  const sets = [...bySection.keys()].toSorted().map((section) => bySection.get(section) ?? [])
  const live = sets.filter((set) => set.some(({ certainty }) => certainty >= SURE))
  const shown = live.length > 0 ? live : sets
  if (shown.length === 0) return []
  return [
    `  ${JSON.stringify(live.length > 0 ? name : `// ${name}`)}: [`,
    ...shown.flatMap((set) => [
      '    {',
      ...distinct(set).map((entry) => showEntry(entry, 3)),
      '    }',
    ]),
    '  ]',
  ]
}
