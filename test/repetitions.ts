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

/**
 * V8's options for processes of a run without repetitions. Most functions run too few times for the
 * last compiler to pay. Without it, and without collecting threads, a pool of `src` or of contract
 * tests needs about a tenth less processor time.
 */
export const BRIEF = ['--no-turbofan', '--single-threaded-gc']
