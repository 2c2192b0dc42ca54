/**
 * Tests of sale estimates that imports store per county; `sales/measure.ts` defines their content.
 */

export type SaleTestReader = {
  /** JSON text of a county's test; `undefined` without one. */
  saleTest(state: string, fips: number): Promise<string | undefined>
}

export type SaleTestWriter = {
  /** Replaces a county's test; `null` removes it. Throws what the store throws. */
  put(state: string, fips: number, result: string | null): Promise<void>
  close(): Promise<void>
}
