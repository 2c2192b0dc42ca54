import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../test/any-character.ts'
import { repetitions } from '../../test/repetitions.ts'
import { canonicalAddress, canonicalUnit, readTails, rememberStreets } from './canonical.ts'
import { splitKey } from './forgive.ts'
import { directionalOf } from './parse/directionals.ts'
import { isPlainSuffix, suffixOf } from './parse/suffixes.ts'
import { LINE_MAX } from './parse/words.ts'
import { PUB28_C1 } from './tables.ts'
import { showUnitKey } from './unit-keys.ts'

const NOWHERE = { state: '' }
const keyOf = (line: string) => {
  const { key, unitKey } = canonicalAddress(line, NOWHERE)
  return `${key}|${unitKey}`
}

const NAMES =
  'OAK,MAPLE,MILL CREEK,VAN DORN,ST CLAIR,7TH,22ND,MOUNT OLIVE,LAKE SHORE,MLK,OLD ' +
  'POST,A,Q,PARK,ELM HILL,AVENUE OF THE STARS'
const number = fc.oneof(
  fc.integer({ min: 1, max: 99_998 }).map(String),
  fc
    .tuple(fc.integer({ min: 1, max: 9999 }), fc.constantFrom('A', 'B', 'C', 'R'))
    .map(([n, letter]) => `${n}${letter}`),
  fc.integer({ min: 1, max: 9999 }).map((n) => `${n} 1/2`),
  fc
    .tuple(fc.integer({ min: 1, max: 9000 }), fc.integer({ min: 1, max: 49 }))
    .map(([n, d]) => `${n}-${n + 2 * d}`),
  fc.constantFrom('N6W23001', '6N201', 'W204N11912'),
)
const direction = fc.constantFrom('', 'N', 'S', 'E', 'W', 'NE', 'NW', 'SE', 'SW')
const name = fc.constantFrom(...NAMES.split(','))
const suffix = fc.constantFrom(
  'ST',
  'AVE',
  'RD',
  'DR',
  'LN',
  'CT',
  'BLVD',
  'PL',
  'CIR',
  'TRL',
  'PKWY',
  'XING',
  'HOLW',
)
const unit = fc.oneof(
  fc.constant(''),
  fc.integer({ min: 1, max: 9999 }).map((n) => `APT ${n}`),
  fc
    .tuple(fc.integer({ min: 1, max: 99 }), fc.constantFrom('A', 'B', 'F'))
    .map(([n, letter]) => `UNIT ${n}${letter}`),
  fc.constantFrom('BLDG C', 'FL 2', 'REAR', 'PH 2', 'BSMT', 'BLDG C APT 4', 'UPPR'),
)
const parts = fc.record({ number, before: direction, name, suffix, after: direction, unit })
const write = (part: Record<'number' | 'before' | 'name' | 'suffix' | 'after' | 'unit', string>) =>
  [part.number, part.before, part.name, part.suffix, part.after, part.unit]
    .filter(Boolean)
    .join(' ')

describe('canonicalAddress', () => {
  it('reads back every part of a line it is given', () => {
    fc.assert(
      fc.property(parts, (part) => {
        const { parsed } = canonicalAddress(write(part), NOWHERE)
        const { number: low } = parsed
        assert.equal(parsed.numberHigh === null ? low : `${low}-${parsed.numberHigh}`, part.number)
        assert.equal(parsed.predirectional ?? '', part.before)
        assert.equal(parsed.suffix, part.suffix)
        assert.equal(parsed.postdirectional ?? '', part.after)
      }),
      { numRuns: repetitions(150) },
    )
  })

  it('gives the canonical line the key of the line', () => {
    fc.assert(
      fc.property(parts, (part) => {
        const first = canonicalAddress(write(part), NOWHERE)
        const again = canonicalAddress(first.line, NOWHERE)
        assert.equal(again.key, first.key)
        assert.equal(again.line, first.line)
        const { unitType, unit: id } = first.parsed
        assert.equal(canonicalUnit([unitType, id].filter(Boolean).join(' ')), first.unitKey)
      }),
      { numRuns: repetitions(150) },
    )
  })

  it('keeps the key over case, blanks, dots and commas between parts', () => {
    const noise = fc.constantFrom(' ', '  ', '. ', ', ', '\t')
    fc.assert(
      fc.property(parts, fc.array(noise, { minLength: 12, maxLength: 12 }), (part, marks) => {
        const line = write(part)
        let at = 0
        // A comma is only kept between a street and its unit; elsewhere it is noise.
        const noisy = line.replace(/(?<=\S) (?=\S)/g, (blank) =>
          /\d$/.test(line) ? blank : (marks[at++ % 12] ?? ' '),
        )
        assert.equal(keyOf(noisy.toLowerCase()), keyOf(line))
      }),
      { numRuns: repetitions(150) },
    )
  })

  it('never gives two different addresses one key', () => {
    fc.assert(
      fc.property(
        parts,
        parts,
        fc.constantFrom('number', 'before', 'suffix', 'after', 'unit'),
        (one, two, differing) => {
          // The two are equal except for one part.
          const other = { ...one, [differing]: two[differing as keyof typeof two] }
          fc.pre(other[differing as keyof typeof other] !== one[differing as keyof typeof one])
          const [a, b] = [keyOf(write(one)), keyOf(write(other))]
          const sameUnit = canonicalUnit(one.unit) === canonicalUnit(other.unit)
          if (differing !== 'unit' || !sameUnit)
            assert.notEqual(a, b, `${write(one)} / ${write(other)}`)
        },
      ),
      { numRuns: repetitions(250) },
    )
  })

  it('reads every form of every suffix of Publication 28 as its standard', () => {
    for (const line of PUB28_C1) {
      const [standard = '', ...forms] = line.split(' ').filter((word) => word !== '|')
      for (const form of [standard, ...forms]) {
        const { suffix, street } = canonicalAddress(`123 ZEBRA ${form}`, NOWHERE).parsed
        assert.deepEqual([street, suffix], ['ZEBRA', standard], form)
      }
    }
  })

  it('never throws, whatever the line holds', () => {
    const piece = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 6 }),
      fc.constantFrom(
        '#',
        '-',
        '/',
        '(',
        ')',
        '*',
        'APT',
        'HWY',
        'US',
        'CR',
        'NO',
        'ST',
        'N',
        'W',
        '1/2',
        'BOX',
        'RR',
        'FL',
        'AVE',
        'OLD',
        'BUS',
        'NE',
        '68503',
        'ONE',
        'HUNDRED',
        'AND',
        '½',
        'BETWEEN',
        'REAR',
        'PH2',
        '4B',
        '12',
        'M',
        'L',
        'KING',
      ),
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 30 }),
        fc.constantFrom('', 'NE', 'TX', 'NY', 'WI', 'XX'),
        (pieces, state) => {
          const line = pieces.join(' ')
          const result = canonicalAddress(line, { state, city: null })
          readTails(line, { state })
          canonicalUnit(line)
          assert.ok(result.key === '' || result.key.split('|').length === 5)
          assert.ok(result.alternates.length <= 51)
          // A list of numbers has commas: `131,133,135`.
          assert.ok(!/[^A-Z0-9 #|/,-]/.test(result.key), result.key)
        },
      ),
      { numRuns: repetitions(250) },
    )
  })

  it('keeps the canonical form canonical for names of words that mean something elsewhere', () => {
    const words =
      'PARK,CREEK,OAK,FIRST,22ND,COUNTY,STATE,OLD,LOOP,AVENUE,SAINT,ST,MT,FORT,KING,TWENTY ' +
      'ONE,MILE,BROADWAY,MLK,CTR,PIER,FRONT,UPPER,LOT,HIGHWAY,US,RANCH,BUSINESS,SPUR,NORTHWEST'
    const word = fc.constantFrom(...words.split(','))
    const ending = fc.constantFrom('ST', 'AVENUE', 'RD', 'CREEK', 'LOOP', 'EXT', 'HWY', 'PARK')
    fc.assert(
      fc.property(
        direction,
        fc.array(word, { minLength: 1, maxLength: 3 }),
        ending,
        unit,
        (before, name, end, tail) => {
          const line = ['77', before, ...name, end, tail].filter(Boolean).join(' ')
          const first = canonicalAddress(line, NOWHERE)
          const { unitType, unit: id } = first.parsed
          const again = canonicalAddress(
            first.line,
            NOWHERE,
            [unitType, id].filter(Boolean).join(' '),
          )
          assert.deepEqual([again.key, again.unitKey], [first.key, first.unitKey], first.line)
        },
      ),
      { numRuns: repetitions(500) },
    )
  })

  it('reads nothing out of a line longer than any street line', () => {
    assert.equal(canonicalAddress(`123 ${'A'.repeat(LINE_MAX)} ST`, NOWHERE).key, '')
    assert.equal(canonicalAddress('', NOWHERE).key, '')
  })

  it('takes the caller’s unit before one of the same kind in the line, and next to others', () => {
    const read = (line: string, unit: string) => canonicalAddress(line, NOWHERE, unit).unitKey
    assert.equal(read('123 MAIN ST', '2B'), '2B')
    assert.equal(read('123 MAIN ST APT 3', 'APT 2B'), '2B')
    assert.equal(read('123 MAIN ST BLDG C', '4'), '4,BLDG C')
    assert.equal(read('123 MAIN ST APT 3', ''), '3')
    assert.equal(read('123 MAIN ST', '#0012'), '12')
  })

  it('boxes and lines without a number have no assigned address', () => {
    const assigned = (line: string) => canonicalAddress(line, NOWHERE).assigned
    assert.equal(assigned('123 MAIN ST'), true)
    assert.equal(assigned('MAIN ST'), false)
    assert.equal(assigned('0 MAIN ST'), false)
    assert.equal(assigned('PO BOX 12'), false)
    assert.equal(assigned('RR 2 BOX 18'), false)
    assert.equal(assigned('**NO SITUS**'), false)
  })

  it('gives a range its members as alternates, its low end first, 51 at most', () => {
    const { alternates } = canonicalAddress('100-200 OAK ST', NOWHERE)
    assert.equal(alternates.length, 51)
    assert.equal(alternates[0]?.key, '100||OAK|ST|')
    assert.equal(alternates.at(-1)?.key, '200||OAK|ST|')
  })
})

describe('canonicalAddress at import', () => {
  const context = { state: 'NE', fips: 31_109, city: 'Lincoln', zip: '68503' }
  const key = (line: string, place = context) => canonicalAddress(line, place).key

  it('cuts off the city, state and ZIP that the record has', () => {
    const lines = [
      '123 N 5TH ST LINCOLN',
      '123 N 5TH ST LINCOLN NE',
      '123 N 5TH ST LINCOLN NE 68503',
      '123 N 5TH ST, LINCOLN',
      '123 N 5TH ST 68503',
      '123 N 5TH ST, LINCOLN, NE  68503-1234',
      '123 N 5TH ST lincoln nebraska',
    ]
    for (const line of lines) assert.equal(key(line), '123|N|5TH|ST|', line)
  })

  it('keeps the city’s name where it is the street’s', () => {
    assert.equal(key('123 LINCOLN'), '123||LINCOLN||')
    assert.equal(key('123 N LINCOLN'), '123|N|LINCOLN||')
    assert.equal(key('123 LINCOLN AVE'), '123||LINCOLN|AVE|')
  })

  it('keeps a direction that looks like the state', () => {
    assert.equal(key('123 5TH ST NE'), '123||5TH|ST|NE')
  })
})

describe('readTails', () => {
  const read = (line: string, state = 'NE') =>
    readTails(line, { state }).map(({ address, city, zip }) => `${address.line}/${city}/${zip}`)

  it('offers every reading of the last words, longest first', () => {
    assert.deepEqual(read('123 MAIN ST FALLS CITY NE 68355'), [
      '123 MAIN/SAINT FALLS CITY/68355',
      '123 MAIN ST/FALLS CITY/68355',
      '123 MAIN ST FLS/CITY/68355',
      '123 MAIN ST FALLS CITY//68355',
      '123 MAIN ST FALLS CITY NE//68355',
    ])
  })

  it('takes the state only when it is the request’s', () => {
    assert.ok(read('123 MAIN ST LINCOLN NEBRASKA').includes('123 MAIN ST/LINCOLN/'))
    assert.ok(!read('123 MAIN ST OMAHA IA').includes('123 MAIN ST/OMAHA/'))
  })

  it('reads a direction as the state too', () => {
    assert.ok(read('123 MAIN ST NE').includes('123 MAIN ST//'))
  })

  it('offers nothing for a line without a tail but shorter names, and eight at most', () => {
    assert.deepEqual(read('123 MAIN ST'), ['123 MAIN/SAINT/'])
    assert.ok(read('1 A B C D E F G H I J K L M N O, LINCOLN, NE 68503').length <= 8)
  })
})

describe('words of the dictionaries', () => {
  it('holds no suffix that is a directional and no plain suffix without a standard', () => {
    for (const line of PUB28_C1) {
      for (const form of line.split(' ').filter((word) => word !== '|')) {
        assert.equal(directionalOf(form), undefined)
        assert.notEqual(suffixOf(form), undefined)
      }
    }
    assert.equal(isPlainSuffix('ST'), true)
    assert.deepEqual(splitKey('1|N|OAK|ST|W').name, 'OAK')
  })
})

describe('showUnitKey', () => {
  it('writes every unit key so that reading it gives the key again', () => {
    for (const unit of [
      '2B',
      'BLDG C APT 4',
      'REAR',
      'FL 2',
      'PH',
      'BLDG 2 UNIT 1A',
      'FL 2 STE 5',
      'BSMT',
      'SLIP 9 BLDG A',
    ]) {
      const key = canonicalUnit(unit)
      assert.equal(canonicalUnit(showUnitKey(key)), key, unit)
      assert.doesNotMatch(showUnitKey(key), /,/)
    }
  })
})

describe('rememberStreets', () => {
  it('reads a street once as it is read with each number', () => {
    const read = rememberStreets()
    const place = { state: 'NE', fips: 31_109, city: 'CRETE', zip: '68333' }
    const shown = (address: ReturnType<typeof read>) => {
      const { key, unitKey, line, parsed, looseKey, alternates, assigned } = address
      return { key, unitKey, line, parsed, looseKey, alternates, assigned }
    }
    for (const street of [
      ...['OAK ST', 'SW 72ND ST APT 4', 'HWY 77', 'HWY', 'ST', 'OAK ST CRETE NE', 'A OAK ST'],
      ...['OH 5 OAK ST', 'AND 125 OAK ST', 'A AND B OAK ST', 'TO 14 OAK ST', 'HALF N OAK ST'],
      ...['BOX 12', 'RR 2 BOX 14', 'UNASSIGNED', 'N A', 'S 800 E', 'W 1200 OAK ST', 'OAK ST & ELM'],
    ]) {
      for (const number of ['7', '12', '14', '123', '125', '1234', '9999', '99999', '012', '0']) {
        const line = `${number} ${street}`
        assert.deepEqual(shown(read(line, place)), shown(canonicalAddress(line, place)), line)
      }
    }
  })
})
