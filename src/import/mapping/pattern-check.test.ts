import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BoundPattern, checkPattern, explainPattern } from './pattern-check.ts'

/** Two ways to read one text within a repetition: 2ⁿ steps. */
const ENDLESS = [
  '^(([a-zA-Z ])+)+$',
  '(a|a)*b',
  '(a*)*',
  '(?:a?b?)*c',
  '(\\w+\\s?)*$',
  '(\\d{1,3},?)+x',
  '(?=(x+)+$)x',
  '(?<!(x+)+)y',
  '(x+x+)+y',
  '(A|a)+x',
  '(é|É)*x',
  '^(?:LOTS? \\d+(?:-\\d+)?(?:-|,| )?)*LOT \\d+(?:-\\d+(?:-\\d+)?)*(?:(?:,|-) ?\\d+(?:-\\d+)?)*$',
  '^(?:[^()]|.)*$',
  '((?:a|b|ab)+)+',
  '(?:(?:,? ?&|,) ?\\d+ ?)*$',
  // Not 2ⁿ for ever longer texts, and still more ways than can be tried.
  '^(.?){200}!$',
  '(?:a?){50}a{50}',
  '^(?:a|aa){40}b',
  '(?:ab|a|b){30}!',
  '^(\\d{1,3},?){1,30}x',
  `^${'\\w?'.repeat(40)}!$`,
  '^(?:A?B?C?){20}D',
  '(?:[A-Z]?[a-z]?){25}\\d',
  '^(?:x|y|xy){1,60}$',
  '^(?:\\s?\\w{0,2}){30}#',
]

/** Near misses, which stay allowed. */
const BOUNDED = [
  '^(?:[A-Z]{2} ?){2,}$',
  '(a|ab)*c',
  '(\\d{3})*',
  '(?:(?:a|b)c)*',
  '(?:[^()]|\\([^()]*\\))*x',
  '^S(\\d+), T\\d+, R\\d+',
  '^(.*\\S)(?<!\\b(?:HWY|LOT)) (\\d+(?:-\\d+|[A-Z])?)$',
  '^(?!.*\\*\\*NO ADDRESS).*$',
  '(?:(?:, ?&|&|,) ?\\d+)*$',
  '^[a-z0-9]+(-[a-z0-9]+)*$',
  '[^()]{0,60}\\bLOT',
  '(?:\\p{L}+ )*\\d',
  '(?<name>a+)b',
  '[\\]a-z]+\\/[(|)]*',
  '^(?:a?){12}b',
  '^(?:\\d{3},?){30}x',
  '^(?:ab|cd|ef){40}!',
  '^\\w{0,60}!',
  '^(?:A{2}B?){30}$',
  '(?:LOT|BLK|UNIT|TRACT|PCL|SEC|TWP|RGE|APT|STE) ?\\d{1,4}[A-Z]?(?:-\\d{1,4}){0,9}',
]

for (const source of ENDLESS) {
  test(`refuses ${source}`, () => assert.match(String(checkPattern(source)), /takes for ever/))
}
for (const source of BOUNDED) {
  test(`allows ${source}`, () => assert.equal(explainPattern(source), undefined))
}

test('takes a number that is written twice', () => {
  assert.equal(typeof checkPattern(String.raw`^(\d+)-\1$`), 'object')
  assert.match(String(checkPattern(String.raw`(\d+)-\1`)), /names a group again/)
})

test('refuses what names a group again, repeats too much, or is no pattern', () => {
  assert.match(String(checkPattern('(a+)\\1')), /names a group again/)
  assert.match(String(checkPattern('((a{0,60}){0,60})x')), /repeats too much/)
  assert.match(String(checkPattern('(.*)(.*)(.*)x')), /too many repetitions/)
  assert.match(String(checkPattern('a'.repeat(8001))), /more than 8000 characters/)
  assert.equal(explainPattern('('), 'it is no regular expression')
  assert.throws(() => new BoundPattern('(a*)*', 'iu'), /the pattern \(a\*\)\*: /)
})

test('the longest text follows from the loops that share characters', () => {
  const textMax = (source: string) => new BoundPattern(source, 'iu').textMax
  assert.equal(textMax('^\\d+$'), Number.POSITIVE_INFINITY)
  assert.equal(textMax('\\d+$'), 20_000)
  assert.equal(textMax('^\\d+ .*$'), Number.POSITIVE_INFINITY)
  assert.equal(textMax('^.* .*$'), 20_000)
  assert.equal(textMax('(\\S+ )*\\S+$'), 1200)
})

test('a pattern that is slow again and again ends in a sentence', () => {
  const pattern = new BoundPattern('^[^\\d]+[^a]+?.*[ab]', 'iu', 200)
  const text = '! x'.repeat(250)
  assert.throws(() => {
    for (;;) pattern.exec(text)
  }, /takes too long on the values of this roll/)
})

test('a value that replacements make ever longer ends in a sentence', () => {
  const pattern = new BoundPattern('.', 'giu')
  const grow = (text: string) => pattern.replace(text, 'a'.repeat(100))
  assert.throws(() => grow(grow(grow(grow('a')))), /makes more than a million characters/)
  const all = 'x'.repeat(100_000)
  assert.throws(() => pattern.replace(all, all), /makes more than a million characters/)
})
