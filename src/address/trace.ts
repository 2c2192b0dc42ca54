/**
 * What a lookup notes of its steps, so that an answer can be explained. Made only where it was
 * asked for.
 */
import type { TailReading } from '../model/address.ts'
import type { SitusHit } from '../store/store.ts'

/** The steps by name, in the order in which `lookup.ts` takes them. */
export type StepName =
  | 'exact'
  | 'recorded-alternate'
  | 'asked-alternate'
  | 'directional'
  | 'suffix'
  | 'spacing'

/** One step over one reading of the asked line. */
export type TracedStep = {
  step: StepName
  /** The reading, by its place among those of the trace. */
  reading: TailReading
  /** Strict keys that were asked for, or the one loose key of the forgiving steps. */
  keys: string[]
  /** What stands under the keys. */
  found: readonly SitusHit[]
  /**
   * Those among them that the step accepts: of a forgiving step those with the one difference it
   * forgives.
   */
  accepted: readonly SitusHit[]
  /** Those that also stand in the asked county, city and ZIP. */
  placed: readonly SitusHit[]
}

/** Filled by `lookUpAddress`; the last step is the one that decided, if any did. */
export type LookupTrace = { steps: TracedStep[] }
