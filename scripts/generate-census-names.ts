/**
 * Writes src/owner/dictionaries/census-names.ts from the name frequencies of the 1990 Census.
 *
 * Source: U.S. Census Bureau, "Frequently Occurring Surnames" and "First Names from the Census
 * 1990" (dist.all.last, dist.male.first, dist.female.first), a public-domain work.
 * Run: node scripts/generate-census-names.ts FOLDER, where FOLDER holds the three files as .gz.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/** Rarer surnames are left out: together they are a third of all persons. In per cent. */
const SURNAME_MIN_PERCENT = 0.002
/** Stands for a frequency below what the Census prints. In per cent. */
const UNSEEN_PERCENT = 0.0003
const LIMIT = 3.5
const WIDTH = 98

const folder = process.argv[2]
if (folder === undefined) throw new Error('usage: generate-census-names.ts FOLDER')
const surnames = readFrequencies('census1990.dist.all.last.gz')
const men = readFrequencies('census1990.dist.male.first.gz')
const women = readFrequencies('census1990.dist.female.first.gz')
writeFileSync(
  new URL('../src/owner/dictionaries/census-names.ts', import.meta.url),
  writeTable(groupByLean()),
)

/** Reads one file of lines `NAME percent cumulative rank`. */
function readFrequencies(file: string): Map<string, number> {
  const lines = gunzipSync(readFileSync(`${folder}/${file}`))
    .toString()
    .trim()
    .split('\n')
  return new Map(
    lines.map((line) => {
      const [name = '', percent] = line.trim().split(/\s+/)
      return [name, Number(percent)]
    }),
  )
}

/** Groups names by the natural logarithm of surname over given-name frequency, in halves. */
function groupByLean(): Map<number, string[]> {
  const groups = new Map<number, string[]>()
  const names = new Set([...surnames.keys(), ...men.keys(), ...women.keys()])
  for (const name of [...names].sort()) {
    if (name.length < 2) continue
    const surname = surnames.get(name) ?? 0
    const given = ((men.get(name) ?? 0) + (women.get(name) ?? 0)) / 2
    if (given === 0 && surname < SURNAME_MIN_PERCENT) continue
    const ratio = Math.log((surname + UNSEEN_PERCENT) / (given + UNSEEN_PERCENT))
    const lean = Math.round(2 * Math.max(-LIMIT, Math.min(LIMIT, ratio))) / 2
    groups.set(lean, [...(groups.get(lean) ?? []), name])
  }
  return new Map([...groups].sort(([a], [b]) => a - b))
}

function writeTable(groups: Map<number, string[]>): string {
  const entries = [...groups].map(([lean, names]) => `  ['${lean}', \`\n${wrap(names)}\n\`],`)
  return `/**
 * Names of the 1990 Census by how much commoner they are as surnames (above 0) than as given
 * names (below): natural logarithm of the ratio of frequencies, in halves, cut at ${LIMIT}.
 *
 * Source: U.S. Census Bureau, public domain. Made by scripts/generate-census-names.ts.
 */
export const CENSUS_NAMES: readonly (readonly [string, string])[] = [
${entries.join('\n')}
]
`
}

/** Words with blanks between, in lines of at most 98 characters. */
function wrap(words: readonly string[]): string {
  const lines: string[] = []
  let line = ''
  for (const word of words) {
    if (line.length + word.length + 1 > WIDTH) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join('\n')
}
