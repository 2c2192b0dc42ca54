/** Shared by the statements that apply a staged roll. */
import type { Staging } from './roll-staging.ts'

/** Runs a statement whose first value is the state. */
export type Run = (text: string, ...values: unknown[]) => Promise<unknown>

/** SQL for changes `c` of some kinds with their staged rows `s`. */
export const changed = ({ change, staged }: Staging, kinds: string) =>
  `${change} c JOIN ${staged} s ON s.state = $1 AND s.seq = c.seq
    WHERE c.state = $1 AND c.what ${kinds}`
