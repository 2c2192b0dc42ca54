/**
 * Writes src/store/postgres/pack/dictionary-1.bin: the codes and the dictionary of packed records
 * (src/store/postgres/pack/codes.ts). They are made from generated parcels, and from texts that
 * the program itself writes into records: sources and licenses of mappings, and land uses.
 *
 * Stored records need the file of their version, so a file that is in use must not change.
 * `node scripts/write-pack-dictionary.ts` takes a minute.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { USE_CODES } from '../src/record/use-codes.ts'

const SIZE = 32_768
/** Codes are counted over other parcels than those whose parts are in the dictionary. */
const SEEDS = [101, 102, 103]
const SEED_OF_COUNTS = 104
const PARCELS = 1500
/** Each pass counts what the codes of the pass before write; those of the first have 9 bits. */
const PASSES = 3
/** Bytes and symbols as `codes.ts` has them, which cannot be read without a dictionary. */
const [CONTEXTS, SYMBOLS, PLACES, CODE_MAX] = [8, 279, 280, 11]
/** Longest part of a record in the dictionary, and the length of the texts that are counted. */
const [PART, GRAM] = [96, 8]

const HERE = fileURLToPath(import.meta.url)
const ROOT = new URL('../', import.meta.url)
const OUT = new URL('src/store/postgres/pack/dictionary-1.bin', ROOT)

type Stored = { fieldValues: string; keys: string }

const [file] = process.argv.slice(2)
if (file === undefined) writeDictionary()
else process.stdout.write(JSON.stringify(await countSymbols(file)))

function writeDictionary(): void {
  const folder = mkdtempSync(join(tmpdir(), 'pack-'))
  const fixed = Buffer.from(
    listFixed()
      .join('')
      .replace(/[^\0-\x7f]+/g, ''),
  )
  const records = SEEDS.flatMap((seed) => generateRecords(seed, folder))
  const texts = records.map(({ fieldValues, keys }) => fieldValues + keys)
  const parts = chooseParts(texts, SIZE - fixed.length)
  const dictionary = Buffer.concat([fixed, Buffer.from(parts.join(''))]).subarray(0, SIZE)
  const counted = join(folder, 'counted.json')
  writeFileSync(counted, JSON.stringify(generateRecords(SEED_OF_COUNTS, folder)))
  let lengths = new Array<number>(CONTEXTS * SYMBOLS + PLACES).fill(9)
  for (let pass = 0; pass <= PASSES; pass += 1) {
    writeFileSync(OUT, Buffer.concat([Buffer.from(lengths), dictionary]))
    if (pass === PASSES) break
    const counts: number[] = JSON.parse(execFileSync(process.execPath, [HERE, counted]).toString())
    lengths = assignLengths(counts)
  }
  rmSync(folder, { recursive: true })
}

/** Texts that records of many rolls have, in the order in which a record has them. */
function listFixed(): string[] {
  const folder = new URL('mappings/', ROOT)
  const sources = readdirSync(folder)
    .filter((name) => name.endsWith('.json') && name !== 'schema.json')
    .map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')).source)
    .filter((source) => source !== undefined)
    .map(({ name, license }) => `\u001f"${name}"\u001f"${license}"\u001f2025\u001f`)
  const uses = [...USE_CODES].map(
    ([code, { description }]) => `\u001f"${code}"\u001f"${description}"\u001ftrue`,
  )
  return [...new Set(sources), ...uses]
}

function generateRecords(seed: number, folder: string): Stored[] {
  const data = join(folder, String(seed))
  const own = ['--parcels', String(PARCELS), '--seed', String(seed), '--data', data, '--json']
  const command = fileURLToPath(new URL('src/cli/main.ts', ROOT))
  const env = { ...process.env, PLATBOOK_DATABASE_URL: '' }
  execFileSync(process.execPath, [command, 'sample', ...own], { env, stdio: 'pipe' })
  const db = new DatabaseSync(join(data, 'parcels.db'), { readOnly: true })
  const rows = db.prepare('SELECT field_values AS fieldValues, keys FROM records ORDER BY id').all()
  db.close()
  return rows as Stored[]
}

/**
 * Returns parts of records, the most frequent ones last, where the search for a match begins. Each
 * is the part of some records whose texts of eight characters occur in most records and are not
 * in an earlier part.
 */
function chooseParts(records: string[], size: number): string[] {
  const counts = new Map<string, number>()
  const countOf = (gram: string) => {
    const count = counts.get(gram) ?? 0
    return count > 3 ? count : 0
  }
  for (const record of records) {
    for (const gram of new Set(gramsOf(record))) counts.set(gram, (counts.get(gram) ?? 0) + 1)
  }
  const each = Math.max(1, Math.floor((records.length * PART) / size))
  const parts: { weight: number; text: string }[] = []
  let total = 0
  for (let from = 0; total < size && from < 50 * records.length; from += each) {
    let best = { weight: 0, text: '' }
    for (let at = from; at < from + each; at += 1) {
      const record = records[at % records.length] as string
      let weight = 0
      const weights = gramsOf(record).map(countOf)
      for (const [last, own] of weights.entries()) {
        const first = Math.max(0, last - PART + GRAM)
        weight += own - (first > 0 ? (weights[first - 1] as number) : 0)
        if (weight > best.weight) best = { weight, text: record.slice(first, last + GRAM) }
      }
    }
    const text = trimPart(best.text, countOf)
    if (text === '') continue
    parts.push({ ...best, text })
    total += text.length
    for (const gram of gramsOf(text)) counts.set(gram, 0)
  }
  return parts.sort((a, b) => a.weight - b.weight).map(({ text }) => text)
}

function trimPart(text: string, countOf: (gram: string) => number): string {
  const grams = gramsOf(text)
  const first = grams.findIndex((gram) => countOf(gram) > 0)
  const last = grams.findLastIndex((gram) => countOf(gram) > 0)
  return first === -1 ? '' : text.slice(first, last + GRAM)
}

function gramsOf(text: string): string[] {
  const count = Math.max(0, text.length - GRAM + 1)
  return Array.from({ length: count }, (_, at) => text.slice(at, at + GRAM))
}

/** Counts the symbols by context, then the places. */
async function countSymbols(file: string): Promise<number[]> {
  const { pack } = await import('../src/store/postgres/pack/pack.ts')
  const codes = await import('../src/store/postgres/pack/codes.ts')
  const { CODE_MAX, DISTANCES, KIND_OF, KINDS, LENGTHS } = codes
  const counts = new Array<number>(CONTEXTS * SYMBOLS + PLACES).fill(0)
  const add = (index: number) => {
    counts[index] = (counts[index] as number) + 1
  }
  const stored: Stored[] = JSON.parse(readFileSync(file, 'utf8'))
  const texts = stored.flatMap(({ fieldValues, keys }) => [
    { text: fieldValues, before: '' },
    { text: keys, before: fieldValues },
  ])
  for (const { text: own, before } of texts) {
    const [bytes, text] = [pack(own, before), Buffer.from(own)]
    let bit = 8
    const peek = (length: number) => {
      let value = 0
      for (let at = 0; at < length; at += 1) {
        value |= (((bytes[(bit + at) >> 3] as number) >> ((bit + at) & 7)) & 1) << at
      }
      return value
    }
    const take = (length: number) => {
      const value = peek(length)
      bit += length
      return value
    }
    const read = (table: Uint16Array, first: number) => {
      const found = table[first + peek(CODE_MAX)] as number
      bit += found & 15
      return found >> 4
    }
    for (let [at, context, symbol] = [0, 2, 0]; symbol !== codes.END; ) {
      symbol = read(codes.SYMBOL_TABLE, context << CODE_MAX)
      if (symbol === codes.OTHER) symbol = take(8)
      add(context * SYMBOLS + symbol)
      if (symbol < LENGTHS) {
        at += 1
        context = KIND_OF[symbol & 255] as number
        continue
      }
      const further = codes.LENGTH_BITS[symbol - LENGTHS] as number
      at += (codes.LENGTH_FIRST[symbol - LENGTHS] as number) + take(further)
      const place = read(codes.PLACE_TABLE, 0)
      add(CONTEXTS * SYMBOLS + place)
      take(place < DISTANCES ? codes.BLOCK_BITS : place - DISTANCES)
      context = (KIND_OF[text[at - 1] as number] as number) + KINDS
    }
  }
  return counts
}

/** Returns the lengths of all codes in bits, 0 for a byte without one. */
function assignLengths(counts: number[]): number[] {
  const lengths: number[] = []
  for (let from = 0; from < CONTEXTS * SYMBOLS; from += SYMBOLS) {
    const own = counts.slice(from, from + SYMBOLS)
    const sum = own.reduce((total, count) => total + count, 0)
    // Other rolls have letters and lengths that are rare or missing here.
    const least = own.map((_, symbol) => {
      const isUsed = symbol >= 256 || (symbol >= 0x20 && symbol < 0x7f)
      return isUsed ? Math.ceil(sum / 2000) + 1 : symbol >= 0x1d && symbol < 0x20 ? 1 : 0
    })
    lengths.push(...limitedLengths(own.map((count, at) => Math.max(count, least[at] as number))))
  }
  const places = counts.slice(CONTEXTS * SYMBOLS).map((count) => Math.max(count, 4))
  return [...lengths, ...limitedLengths(places)]
}

/** Returns the lengths of Huffman codes, at most `CODE_MAX`, by halving differences of counts. */
function limitedLengths(counts: number[]): number[] {
  let nodes = counts.flatMap((count, symbol) => (count > 0 ? [{ count, symbols: [symbol] }] : []))
  const lengths = counts.map(() => 0)
  while (nodes.length > 1) {
    nodes = nodes.sort((a, b) => a.count - b.count)
    const [one, other, ...others] = nodes
    if (one === undefined || other === undefined) break
    const symbols = [...one.symbols, ...other.symbols]
    for (const symbol of symbols) lengths[symbol] = (lengths[symbol] as number) + 1
    nodes = [...others, { count: one.count + other.count, symbols }]
  }
  if (Math.max(...lengths) <= CODE_MAX) return lengths
  return limitedLengths(counts.map((count) => Math.ceil(count / 2)))
}
