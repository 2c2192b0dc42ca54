import { test } from 'node:test'
import { checkRandomTerms } from './random-terms.ts'

test('no invoice is above the caps of its period: 10,000 random histories', () =>
  checkRandomTerms(10_000))
