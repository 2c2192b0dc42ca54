/** How a store wants to be asked. */
export type ReadAdvice = {
  /** Reads of many rows take the time of this process, so they wait in the search queue. */
  queued: boolean
  /** A round trip costs more than an unused answer: lookups that may follow are asked at once. */
  ahead: boolean
  /** Rows of a map tile, and columns of counted tiles, that are asked at a time. */
  tileRows: number
  tileColumns: number
}
