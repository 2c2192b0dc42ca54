/** The states as a map of tiles, each a link, so that it needs neither script nor mouse. */
import { findState } from '../../regions/states.ts'
import { type Html, html } from './html.ts'

/** Rows from north to south, states from west to east; a dot is an empty place. */
const ROWS = [
  'AK .. .. .. .. .. .. .. .. .. ME',
  '.. .. .. .. .. .. .. .. .. VT NH',
  'WA ID MT ND MN IL WI MI NY RI MA',
  'OR NV WY SD IA IN OH PA NJ CT ..',
  'CA UT CO NE MO KY WV VA MD DE ..',
  '.. AZ NM KS AR TN NC SC DC .. ..',
  '.. .. .. OK LA MS AL GA .. .. ..',
  'HI .. .. TX .. .. .. .. FL .. ..',
].map((row) => row.split(' '))

/** `isMarked`: shown dark. `current`: the chosen state. */
export function showStateTiles(
  counts: ReadonlyMap<string, { count: number; isMarked: boolean }>,
  current: string | undefined,
): Html {
  const tiles = ROWS.flat().map((state) => {
    if (state === '..') return html`<span></span>`
    const { count = 0, isMarked = false } = counts.get(state) ?? {}
    const name = findState(state)?.name ?? state
    return html`<a class="tile${isMarked && ' marked'}" href="/sources?state=${state}#catalogue"
${state === current && html` aria-current="true"`}>${state}
<small>${count}</small><span class="hidden">rolls of ${name}</span></a>`
  })
  return html`<nav class="tiles" aria-label="States">${tiles}</nav>`
}
