/**
 * `npm run bench -- NAME [OPTION…]`: runs one bench with its options and prints its figures.
 * Without a name it lists them.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Each is a file beside this one, whose first lines describe its options. */
const BENCHES: Record<string, string> = {
  requests: 'requests a second and their processor time, beside what one might build instead',
  import: 'rows a second, memory and size on disk of imports',
  history: 'size and time of earlier versions and lineage over ten invented years',
  watches: 'what a hundred thousand watches cost an import',
  hostile: 'what slow, flooding and pipelining callers cost the others',
  questions: 'filters, orders, counts, summaries, suggestions and networks of one state',
  places: 'lookups and searches by point, box, circle and polygon',
  'address-lines': 'reading and canonical forms of address lines',
  'owner-names': 'reading and indexing of owner names',
  charge: 'a charge in the ledger',
  'rate-limits': 'how exactly shared rate limits are kept',
  'postgres-load': 'first loads over PostgreSQL and over the embedded store',
  'postgres-lookups': 'lookups over PostgreSQL, and over Citus',
  report: 'no bench: writes the tables and plots of docs/performance.md from their results',
}

const [name = '', ...options] = process.argv.slice(2)
if (name in BENCHES) {
  const program = fileURLToPath(new URL(`${name}.ts`, import.meta.url))
  const { status } = spawnSync(process.execPath, [program, ...options], { stdio: 'inherit' })
  process.exitCode = status ?? 1
} else {
  const width = Math.max(...Object.keys(BENCHES).map((bench) => bench.length))
  const lines = Object.entries(BENCHES).map(([bench, what]) => `  ${bench.padEnd(width)}  ${what}`)
  console.error(`npm run bench -- NAME [OPTION…]\n\n${lines.join('\n')}`)
  process.exitCode = 2
}
