/**
 * How long does the address engine take for one line? The goal is 10 µs.
 *
 * Reads 200,000 invented lines of every class after a warm-up, in one thread. Prints JSON. `node
 * bench/address-lines.ts`
 */
import { cpus } from 'node:os'
import { canonicalAddress, readTails } from '../src/address/canonical.ts'

const READINGS = 200_000
const LINES = [
  '2808 N 78TH ST',
  '123 n main st apt 4b',
  '1616-22 MCKEAN ST',
  '39-12 30TH ST',
  '245 EAST 77 STREET',
  '21200 SW 72ND ST, CRETE, NE  68368',
  '465 W SOUTH ST, UNIT #10, LINCOLN, NE  68522',
  '4801 W US HIGHWAY 34',
  '77 FARM TO MARKET RD 1960 W STE 200',
  'N6W23001 BLUEMOUND RD',
  '842 East 1700 South',
  '9 Dr. Martin Luther King Jr. Blvd',
  'TWENTY-ONE OAK HOLLOW TRAIL BLDG C APT 1-A',
  '12 AVENUE OF THE STARS PH 2',
  '88 MILL CREEK RD between 3rd and 4th Sts',
  'RR 2 BOX 18',
]

const context = { state: 'NE', fips: 31_109, city: 'LINCOLN', zip: '68522' }
const request = { state: 'NE' }
const us = (run: (line: string) => unknown) => {
  for (let at = 0; at < READINGS / 4; at++) run(LINES[at % LINES.length] as string)
  const start = process.cpuUsage()
  for (let at = 0; at < READINGS; at++) run(LINES[at % LINES.length] as string)
  const { user, system } = process.cpuUsage(start)
  return Number(((user + system) / READINGS).toFixed(2))
}

console.log(
  JSON.stringify({
    question: 'microseconds of processor time a line, collection of garbage included',
    lines: LINES.length,
    readings: READINGS,
    cpu: cpus()[0]?.model,
    node: process.version,
    import: us((line) => canonicalAddress(line, context)),
    request: us((line) => canonicalAddress(line, request)),
    plainLine: us(() => canonicalAddress('2808 N 78TH ST', context)),
    tailsOfRequest: us((line) => readTails(line, request)),
  }),
)
