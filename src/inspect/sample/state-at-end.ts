/** The state that a line without a ZIP ends in. */
import { directionalOf } from '../../address/parse/directionals.ts'
import { suffixOf } from '../../address/parse/suffixes.ts'
import { findStateEnd } from '../../place/states.ts'

/** `12 QUARRY ST HILLTOWN OR`: two letters that can be nothing else are a state; `''` without. */
export function stateAtEnd(text: string): string {
  const state = findStateEnd(text)
  const isStreetWord = (code: string) =>
    suffixOf(code) !== undefined || directionalOf(code) !== undefined
  return state === undefined || state.spelled || isStreetWord(state.code) ? '' : state.code
}
