/**
 * Rules of a single file: how long a function is, how many parameters it has, where status numbers
 * and backends of the store are named. Words in another sense than the glossary's are found too.
 *
 * Files are read by their indentation, which the formatter keeps.
 */
export const FUNCTION_LINES_MAX = 60
export const PARAMETERS_MAX = 4

type File = { path: string; lines: string[] }

/** What breaks a rule: `path: function` of the first two, files of the others. */
export type HouseFindings = Record<
  'functions' | 'parameters' | 'statuses' | 'backends' | 'words',
  string[]
>

/** Lists what breaks the rules in files of the program. */
export function inspectHouse(files: File[]): HouseFindings {
  const functions = files.flatMap((file) => findFunctions(file).map((one) => ({ file, ...one })))
  return {
    functions: functions
      .filter(({ length }) => length > FUNCTION_LINES_MAX)
      .map(({ file, name }) => `${file.path}: ${name}`),
    parameters: functions
      .filter(({ parameters }) => parameters > PARAMETERS_MAX)
      .map(({ file, name }) => `${file.path}: ${name}`),
    statuses: findIn(files, (path) => !STATUS_FILES.test(path), STATUS),
    backends: findIn(files, (path) => !BACKEND_FILES.test(path), BACKEND),
    words: MISUSED.flatMap(([folder, word]) =>
      findIn(files, (path) => path.startsWith(folder), word),
    ),
  }
}

/** A title for each rule. */
export const HOUSE_TITLES: Record<keyof HouseFindings, string> = {
  functions: `functions with more than ${FUNCTION_LINES_MAX} lines`,
  parameters: `functions with more than ${PARAMETERS_MAX} parameters`,
  statuses: 'files with status numbers besides base/errors.ts',
  backends: 'files besides store/ and its commands that import a backend',
  words: 'files with words in another sense than the glossary',
}

/** Status numbers are in `base/errors.ts`; the OpenAPI document lists them. */
const STATUS_FILES = /^src\/base\/errors.ts|^src\/http\/openapi\//
const STATUS = /\b(?:status(?:Code)?(?:\(|: | = )|code\()[45]\d\d\b/
/** The commands that check, copy and restore a database are about the one that it is. */
const BACKEND_FILES = /^src\/store\/|^src\/cli\/commands\/store\//
const BACKEND = /from '[./]+store\/(?:sqlite|postgres)\//

/** Words with another sense in a folder: house.md, the glossary. */
const MISUSED: [folder: string, word: RegExp][] = [
  ['src/owner/', /\b[tT]okens?\b|[a-z]Tokens?\b/],
  ['src/address/', /\b[tT]okens?\b|[a-z]Tokens?\b/],
]

function findIn(files: File[], isMeant: (path: string) => boolean, what: RegExp): string[] {
  const found = files.filter(
    ({ path, lines }) => isMeant(path) && lines.some((line) => what.test(line)),
  )
  return found.map(({ path }) => path)
}

type Found = { name: string; length: number; parameters: number }

const HEAD = /^( *)(?:export )?(?:default )?(?:async )?function\*? ?(\w+)/
const METHOD = /^( +)(?:async )?(\w+)(?:<[^(]*>)?\((?:.*\)(?:: [^=]*)? \{)?$/
const ARROW = /^( *)(?:export )?const (\w+)(?:: .*)? = (?:async )?(?:<[^(]*>)?\(/
const KEYWORDS = new Set(['if', 'for', 'while', 'switch', 'catch', 'with', 'return', 'function'])

/** Functions and methods of a file. Lines of those within count for these only. */
export function findFunctions({ lines }: File): Found[] {
  const spans = lines.flatMap((line, at) => {
    const [, indent, name] = HEAD.exec(line) ?? METHOD.exec(line) ?? ARROW.exec(line) ?? []
    if (indent === undefined || name === undefined || KEYWORDS.has(name)) return []
    const end = findEnd(lines, at, indent)
    if (end === undefined) return []
    return [{ name, at, end, parameters: countParameters(lines.slice(at, end + 1).join('\n')) }]
  })
  return spans.map((span) => {
    const inner = spans.filter(({ at, end }) => at > span.at && end < span.end)
    const outermost = inner.filter(
      (one) => !inner.some(({ at, end }) => at < one.at && end > one.end),
    )
    const theirs = outermost.reduce((sum, { at, end }) => sum + end - at + 1, 0)
    return { ...span, length: span.end - span.at + 1 - theirs }
  })
}

/** The line with the closing brace; `undefined` for a declaration, a call or a short function. */
function findEnd(lines: string[], at: number, indent: string): number | undefined {
  for (let line = at; line < lines.length; line += 1) {
    const text = lines[line] ?? ''
    const isInside = text === '' || text.startsWith(`${indent} `)
    if (line > at && text.startsWith(`${indent}}`)) return line
    if (line > at && !isInside && !text.startsWith(`${indent})`)) return undefined
    if (line > at && text.startsWith(`${indent})`) && !text.endsWith('{')) return undefined
  }
  return undefined
}

/** Counts the parameters in the first pair of parentheses. */
function countParameters(text: string): number {
  const open = text.indexOf('(', text.search(/\w+(?:<[^(]*>)?\(|= (?:async )?\(/))
  let depth = 0
  let count = 0
  let isEmpty = true
  for (let at = open; at < text.length; at += 1) {
    const char = text[at] as string
    const isArrow = char === '>' && text[at - 1] === '='
    if ('([{<'.includes(char)) depth += 1
    if (')]}>'.includes(char) && !isArrow) depth -= 1
    if (depth === 0) return count + (isEmpty ? 0 : 1)
    if (char === ',' && depth === 1) {
      count += 1
      isEmpty = true
    } else if (at > open && /\S/.test(char)) isEmpty = false
  }
  return count
}
