/** Loaded into a process by `moving-clock.ts`: shifts its `Date.now` by the seconds in a file. */
import { readFileSync } from 'node:fs'

const file = process.env.PLATBOOK_TEST_CLOCK ?? ''
const real = Date.now.bind(Date)
Date.now = () => real() + Math.round(Number(readFileSync(file, 'utf8')) * 1000)
