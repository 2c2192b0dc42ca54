/** States and counties. */

export type State = {
  /** Two letters, upper case. */
  code: string
  name: string
  /** State FIPS code, 1 to 78. */
  fips: number
}

export type County = {
  /** Five-digit FIPS code as a number: 31109; state part `Math.floor(fips / 1000)`. */
  fips: number
  state: string
  /** As records show it: Census name in upper case; an independent city keeps `CITY`. */
  name: string
}
