/**
 * Writes census-names.txt and name-letters.txt in tables/ from the name frequencies of the 1990
 * Census.
 *
 * Source: U.S. Census Bureau, "Frequently Occurring Surnames" and "First Names from the Census
 * 1990" (dist.all.last, dist.male.first, dist.female.first), a public-domain work.
 * Run: node scripts/generate-census-names.ts FOLDER, where FOLDER holds the three files as .gz.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/** Rarer surnames are left out: together they are a third of all persons. In per cent. */
const SURNAME_MIN_PERCENT = 0.002
/** Used for frequencies below those that the Census prints. In per cent. */
const UNSEEN_PERCENT = 0.0003
const LIMIT = 3.5
/** The same for beginnings and endings, of which the rare names teach most. In per cent. */
const LETTERS_UNSEEN_PERCENT = 0.00005
/** Beginnings and endings of fewer names than this are left out. */
const LETTERS_MIN = 4
const LETTERS_PRIOR = 1.5
const WIDTH = 98

const folder = process.argv[2]
if (folder === undefined) throw new Error('usage: generate-census-names.ts FOLDER')
const surnames = readFrequencies('census1990.dist.all.last.gz')
const men = readFrequencies('census1990.dist.male.first.gz')
const women = readFrequencies('census1990.dist.female.first.gz')
writeTable('census-names.txt', groupByLean())
writeTable('name-letters.txt', groupLetters())

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

/** Endings of two to four letters and beginnings of two or three, as `-SON` and `MC-`. */
function readLetters(name: string): string[] {
  const endings = [4, 3, 2].map((length) => `-${name.slice(-length)}`)
  return [...endings, `${name.slice(0, 3)}-`, `${name.slice(0, 2)}-`]
}

/**
 * Groups beginnings and endings by how much commoner they are among surnames than among given
 * names. Each name counts once, shared out by its two frequencies.
 */
function groupLetters(): Map<number, string[]> {
  const counts = new Map<string, { surname: number; given: number }>()
  const sums = { surname: 0, given: 0 }
  for (const name of new Set([...surnames.keys(), ...men.keys(), ...women.keys()])) {
    const surname = (surnames.get(name) ?? 0) + LETTERS_UNSEEN_PERCENT
    const given = ((men.get(name) ?? 0) + (women.get(name) ?? 0)) / 2 + LETTERS_UNSEEN_PERCENT
    const isGiven = men.has(name) || women.has(name)
    const share = {
      surname: surnames.has(name) ? surname / (surname + given) : 0,
      given: isGiven ? given / (surname + given) : 0,
    }
    sums.surname += share.surname
    sums.given += share.given
    for (const letters of readLetters(name)) {
      const known = counts.get(letters) ?? { surname: 0, given: 0 }
      counts.set(letters, {
        surname: known.surname + share.surname,
        given: known.given + share.given,
      })
    }
  }
  const scale = sums.given / sums.surname
  const groups = new Map<number, string[]>()
  for (const [letters, { surname, given }] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const lean = Math.log((surname * scale + LETTERS_PRIOR) / (given + LETTERS_PRIOR))
    const rounded = Math.round(2 * Math.max(-LIMIT, Math.min(LIMIT, lean))) / 2
    if (surname * scale + given < LETTERS_MIN || rounded === 0) continue
    groups.set(rounded, [...(groups.get(rounded) ?? []), letters])
  }
  return new Map([...groups].sort(([a], [b]) => a - b))
}

/** Keeps the comments of the table; a rating stands before each of its lines. */
function writeTable(name: string, groups: Map<number, string[]>): void {
  const file = new URL(`../tables/${name}`, import.meta.url)
  const comments = readFileSync(file, 'utf8').match(/^#.*$/gm) ?? []
  const lines = [...groups].flatMap(([lean, words]) =>
    wrap(words).map((line) => `${lean}\t${line}`),
  )
  writeFileSync(file, `${[...comments, ...lines].join('\n')}\n`)
}

/** Words with blanks between, in lines of at most 98 characters. */
function wrap(words: readonly string[]): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of words) {
    if (line.length + word.length + 1 > WIDTH) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
