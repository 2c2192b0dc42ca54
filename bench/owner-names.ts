/**
 * How long does one owner name take to read and to index? Invented names of all classes; prints
 * JSON.
 *
 * Goal: 15 µs a name.
 */
import { cpus } from 'node:os'
import type { NameOrder } from '../src/base/model/owner.ts'
import { indexOwners, makeOwnerQuestion, readOwners } from '../src/owner/canonical.ts'

const NAMES: [string, string | null][] = [
  ['SMITH JOHN A & MARY B', null],
  ['GARCIA LOPEZ, MARIA & JOSE', null],
  ['OAK HOLLOW PROPERTIES LLC', null],
  ['1212 ELM STREET REALTY CORP', null],
  ['VAN CAMP GERALD R', '& LYNETTE A JT SUR'],
  ['HOLLOWELL, PETER J REVOCABLE TRUST', null],
  ['BRANNIGAN KATHLEEN TRUSTEE', null],
  ['REDEVELOPMENT AUTHORITY', 'OF EAST HARBOR'],
  ["O'DONNELL-REYES PATRICIA", null],
  ['KOWALCZYK STANISLAW', 'KOWALCZYK HALINA'],
  ['PELLETIER RAYMOND LE', '% CLAIRE PELLETIER'],
  ['DE LA CRUZ MARIA ELENA', null],
]
const ROUNDS = 20_000
const ORDERS: NameOrder[] = ['last-first', 'first-last', 'mixed']

const microseconds: Record<string, number> = {}
for (const order of ORDERS) microseconds[order] = measure(order)
microseconds.question = measureQuestions()
console.log(
  JSON.stringify({
    benchmark: 'owner-names',
    cpu: cpus()[0]?.model ?? 'unknown',
    node: process.version,
    names: NAMES.length * ROUNDS,
    microsecondsEach: microseconds,
  }),
)

/**
 * Microseconds of processor time to read and index one parcel's names, after a warm-up of a tenth.
 */
function measure(order: NameOrder): number {
  let heads = 0
  const run = (rounds: number) => {
    for (let round = 0; round < rounds; round++) {
      for (const slots of NAMES) heads += indexOwners(readOwners(slots, order)).heads.length
    }
  }
  run(ROUNDS / 10)
  const start = process.cpuUsage()
  run(ROUNDS)
  const { user, system } = process.cpuUsage(start)
  if (heads === 0) throw new Error('nothing was read')
  return Number(((user + system) / (NAMES.length * ROUNDS)).toFixed(2))
}

function measureQuestions(): number {
  const start = process.cpuUsage()
  for (let round = 0; round < ROUNDS; round++) {
    makeOwnerQuestion({
      lastName: 'de la Cruz',
      firstName: 'Mar',
      nameContains: 'maria elena',
      fuzzy: true,
    })
  }
  const { user, system } = process.cpuUsage(start)
  return Number(((user + system) / ROUNDS).toFixed(2))
}
