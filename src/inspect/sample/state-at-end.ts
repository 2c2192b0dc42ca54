/** Finds the state at the end of a line without a ZIP. */
import { directionalOf } from '../../address/parse/directionals.ts'
import { suffixOf } from '../../address/parse/suffixes.ts'
import { findStateEnd } from '../../regions/states.ts'

/** `12 QUARRY ST HILLTOWN OR`: returns two final letters that can only be a state, else `''`. */
export function stateAtEnd(text: string): string {
  const state = findStateEnd(text)
  const isStreetWord = (code: string) =>
    suffixOf(code) !== undefined || directionalOf(code) !== undefined
  return state === undefined || state.spelled || isStreetWord(state.code) ? '' : state.code
}
