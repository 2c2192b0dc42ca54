/**
 * How many times a test repeats what it does to be sure: `few` in `npm test`, 20 times as many in
 * `npm run test:long`, or as many times more as `PLATBOOK_TEST_REPEAT` says.
 */
export function repetitions(few: number): number {
  return Math.ceil(few * FACTOR)
}

const FACTOR = Number(process.env.PLATBOOK_TEST_REPEAT ?? 1)

/** Whether tests repeat more than usual, and read whole rolls. */
export const IS_LONG = FACTOR > 1
