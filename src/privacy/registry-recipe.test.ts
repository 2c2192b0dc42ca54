import assert from 'node:assert/strict'
import { createHmac, hash } from 'node:crypto'
import { test } from 'node:test'
import { type RecipeValues, readRecipe } from './registry-recipe.ts'

const VALUES: RecipeValues = {
  ...{ surname: 'HARLOW', given: 'PAUL', middle: 'MARK', address: '100 N OAK ST', unit: '' },
  ...{ zip: '53703', state: 'WI', fips: '55025' },
}

const CASES: [recipe: string, kind: string, hashed: string | undefined][] = [
  ['sha256:{SURNAME}|{GIVEN}', 'owner', hash('sha256', 'HARLOW|PAUL')],
  ['sha1:{surname}{given}{initial}', 'owner', hash('sha1', 'harlowpaulm')],
  ['sha256:salt {SURNAME} {zip}', 'owner', hash('sha256', 'salt HARLOW 53703')],
  ['md5:{ADDRESS}#{UNIT}#{STATE}', 'address', hash('md5', '100 N OAK ST##WI')],
  [
    'hmac-sha256:key:{SURNAME}:{FIPS}',
    'owner',
    createHmac('sha256', 'key').update('HARLOW:55025').digest('hex'),
  ],
]
for (const [recipe, kind, hashed] of CASES) {
  test(`reads the recipe ${recipe}`, () => {
    const read = readRecipe(recipe)
    assert.deepEqual([read.kind, read.hashOf(VALUES)], [kind, hashed])
    assert.equal(read.digits, hashed?.length)
  })
}

test('a record without a field that the recipe names has no hash', () => {
  const { hashOf } = readRecipe('sha256:{SURNAME}|{ZIP}')
  assert.equal(hashOf({ ...VALUES, zip: '' }), undefined)
})

for (const wrong of [
  '',
  '{SURNAME}',
  'crc:{SURNAME}',
  'sha256:{NAME}',
  'sha256:all',
  'hmac-sha1:k',
]) {
  test(`refuses the recipe "${wrong}"`, () => {
    assert.throws(() => readRecipe(wrong), Error)
  })
}
