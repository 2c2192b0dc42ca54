/** What imports measured of the sales of each county; `sales/measure.ts` says what it holds. */

export type SaleTestReader = {
  /** JSON text of a county's test; `undefined`: none. */
  saleTest(state: string, fips: number): Promise<string | undefined>
}

export type SaleTestWriter = {
  /**
   * Keeps a county's test in place of the one before; `null` removes it. Throws what the store
   * throws.
   */
  put(state: string, fips: number, told: string | null): Promise<void>
  close(): Promise<void>
}
