import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { orderPairs, type Pair, studentQuantile } from './ratio-statistics.ts'
import { finishStudy, type RatioGroup, studyGroup } from './ratio-study.ts'

/** The worked examples of the IAAO's Standard on Ratio Studies (2013): value and price. */
const EXAMPLES = {
  '1-1': {
    pairs:
      '48000,138000 28800,59250 78400,157500 39840,74400 68160,114900 94400,159000 67200,111900 ' +
      '56960,93000 87200,138720 38240,59700 96320,146400 67680,99000 32960,47400 50560,70500 ' +
      '61360,78000 47360,60000 58080,69000 47040,55500 136000,154500 103200,109500 59040,60000 ' +
      '168000,168000 128000,124500 132000,127500 160000,150000 160000,141000 200000,171900 ' +
      '184000,157500 160000,129600 157200,126000 99200,77700 200000,153000 64000,48750 ' +
      '192000,144000 190400,141000 65440,48000',
    cod: '29.8',
    prd: '0.98',
    prb: '0.232',
  },
  '1-4': {
    pairs:
      '87200,138720 38240,59700 96320,146400 68610,99000 32960,47400 50560,70500 61360,78000 ' +
      '47360,60000 56580,69000 47040,55500 136000,154500 98000,109500 56000,60000 159100,168000 ' +
      '128000,124500 132000,127500 160000,150000',
    cod: '14.5',
    prd: '0.98',
    prb: '0.135',
  },
  'D-1': {
    pairs:
      '116700,114500 130300,121000 130200,133900 145500,139000 134100,145000 153900,156500 ' +
      '143400,161100 156900,169500 169000,175000 149200,181000 160100,188900 191400,205000 ' +
      '177200,216150 205500,219000 206500,235000 243800,249000 211600,258900 242500,263000 ' +
      '258400,305900 265900,312500 305700,336000 291600,360000 312800,399900 352200,418500 ' +
      '354900,459000',
    cod: '7.5',
    prd: '1.027',
    prb: '-0.120',
  },
  'D-2': {
    pairs:
      '45000,50000 100000,100000 165000,150000 180000,200000 250000,250000 330000,300000 ' +
      '315000,350000 400000,400000 495000,450000 450000,500000 550000,550000 660000,600000 ' +
      '585000,650000 700000,700000 825000,750000 1875000,2500000',
    cod: '7.8',
    prd: '1.056',
    prb: '-0.011',
  },
} as const

function readPairs(text: string): Pair[] {
  return text.split(' ').map((pair) => {
    const [estimate, price] = pair.split(',').map(Number) as [number, number]
    return { estimate, price }
  })
}

const study = (pairs: readonly Pair[], asListed = false) =>
  finishStudy(studyGroup('all', pairs, { asListed }))

const show = (group: RatioGroup, name: 'cod' | 'prd' | 'prb', like: string) =>
  group[name]?.value.toFixed(like.split('.')[1]?.length)

describe('the worked examples of the standard, to the last printed digit', () => {
  for (const [table, { pairs, cod, prd, prb }] of Object.entries(EXAMPLES)) {
    test(table, () => {
      const group = study(readPairs(pairs), true)
      const shown = [show(group, 'cod', cod), show(group, 'prd', prd), show(group, 'prb', prb)]
      assert.deepEqual(shown, [cod, prd, prb])
      for (const name of ['median', 'cod', 'prd', 'prb', 'mki'] as const) {
        const { value, low, high } = group[name] ?? { value: 0, low: 1, high: 0 }
        assert.ok(low <= value && value <= high, `${name} ${low} ${value} ${high}`)
      }
    })
  }
})

const HOUSES = readPairs(EXAMPLES['D-1'].pairs)

describe('studyGroup', () => {
  test('the same sales give the same intervals, whatever their order of groups', () => {
    assert.deepEqual(study(HOUSES), study(HOUSES))
  })

  test('19 sales have no statistics but a reason, 20 have all', () => {
    const few = study(HOUSES.slice(0, 19))
    assert.deepEqual([few.n, few.cod, few.prb, few.mki, few.standard], [19, null, null, null, null])
    assert.equal(few.reason, '19 sales, fewer than 20')
    const enough = study(HOUSES.slice(0, 20))
    assert.ok(enough.cod !== null && enough.prb !== null && enough.reason === undefined)
  })

  test('ratios outside three interquartile ranges are trimmed and counted, or kept', () => {
    const wild = [...HOUSES, { estimate: 900_000, price: 100_000 }]
    assert.deepEqual([study(wild).n, study(wild).trimmed], [25, 1])
    assert.deepEqual([study(wild, true).n, study(wild, true).trimmed], [26, 0])
    assert.deepEqual({ ...study(wild), trimmed: 0 }, study(HOUSES))
  })

  test('values equal to prices: COD 0, PRD and MKI 1, PRB and KI 0, and no class', () => {
    const exact = study(HOUSES.map(({ price }) => ({ estimate: price, price })))
    const values = [exact.cod, exact.prd, exact.mki, exact.prb, exact.ki].map((one) => one?.value)
    assert.deepEqual(values, [0, 1, 1, 0, 0])
    assert.deepEqual(exact.standard?.cod, [])
    assert.match(exact.judgement, /suspiciously little/)
  })

  test('values that grow slower than prices are regressive by every measure', () => {
    const flat = HOUSES.map(({ price }) => ({ estimate: 1000 * price ** 0.5, price }))
    const { prd, prb, ki, mki, standard, judgement } = study(flat)
    assert.ok(prd && prb && ki && mki)
    assert.ok(prd.value > 1.03 && prb.high < -0.05 && ki.value < 0 && mki.value < 0.95)
    assert.deepEqual([standard?.prd, standard?.prb, standard?.mki], [false, false, false])
    assert.match(judgement, /burden cheap property more/)
  })

  test('one price for all gives no PRB of equal values and no MKI, but no NaN', () => {
    const same = Array.from({ length: 30 }, () => ({ estimate: 90_000, price: 100_000 }))
    const group = study(same)
    assert.deepEqual([group.prb, group.mki], [null, null])
    assert.doesNotMatch(JSON.stringify(group), /NaN|Infinity/)
  })
})

describe('studentQuantile', () => {
  /** Of published tables of the distribution. */
  const table: [freedom: number, value: number][] = [
    ...([
      [1, 12.706],
      [2, 4.303],
      [3, 3.182],
      [23, 2.069],
      [30, 2.042],
    ] as [number, number][]),
    ...([
      [120, 1.98],
      [100_000, 1.96],
    ] as [number, number][]),
  ]
  for (const [freedom, value] of table) {
    test(`${freedom} degrees of freedom`, () => {
      assert.ok(Math.abs(studentQuantile(0.025, freedom) - value) < 6e-4)
    })
  }
})

test('pairs are ordered by ratio and by price, and equal ones keep their order', () => {
  const pairs = [2, 3, 2, 1, 3, 2].map((price) => ({ estimate: 6, price }))
  const steps = orderPairs(pairs)
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  assert.deepEqual([...step.value.byPrice], [3, 0, 2, 5, 1, 4])
  assert.deepEqual([...step.value.byRatio], [1, 4, 0, 2, 5, 3])
})
