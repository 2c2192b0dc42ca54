/** The slider of the map over the years of a county's rolls, and what the map shows of them. */
import type { UnitBox } from '../../base/model/geometry.ts'
import { FACT_NAMES } from '../../record/facts.ts'
import { FactLoader, readIds } from '../../store/facts/block.ts'
import { type Column, decodeChunk } from '../../store/facts/chunk.ts'
import type { FactBlock } from '../../store/facts/table.ts'
import type { CountyCoverage, ParcelReader } from '../../store/store.ts'
import { showDay } from '../../store/versions/versions.ts'
import type { ConsoleContext } from '../context.ts'
import { type Html, html } from '../show/html.ts'

/** Records read at a time. */
const CHUNK = 200

/** The year that the query of a page or of its data names; `undefined`: the present. */
export function readYear(query: URLSearchParams): string | undefined {
  const year = query.get('year') ?? ''
  return /^\d{4}$/.test(year) ? year : undefined
}

/** Shows the slider where a county has rolls of several years. The last is the present. */
export async function showYears(
  context: ConsoleContext,
  { state, fips }: CountyCoverage,
  asked: string | undefined,
): Promise<Html> {
  const vintages = await (await context.parcels()).vintages(state, fips)
  const years = [...new Set(vintages.map(({ day }) => showDay(day).slice(0, 4)))].sort()
  const last = years.length - 1
  if (last < 1) return html``
  // Between two rolls the earlier one counts.
  const found = asked === undefined ? last : years.findLastIndex((year) => year <= asked)
  const at = Math.max(0, found)
  return html`<div id="years"><label for="year">Rolls of</label> <output for="year">${years[at]}
</output><span>${years[0]}</span><input id="year" type="range" min="0" max="${last}" value="${at}"
aria-valuetext="${years[at]}" data-years="${years.join(' ')}" list="year-marks"><span>${years[last]}
</span><datalist id="year-marks">${years.map(
    (year, mark) => html`<option value="${mark}" label="${year}"></option>`,
  )}</datalist></div>`
}

/** The facts of parcels whose points were in a box, for a reader of an earlier year. */
export async function readPastFacts(past: ParcelReader, box: UnitBox, most: number) {
  const loader = new FactLoader()
  const hits = await past.pointsIn({ assignedOnly: false }, box, most)
  for (const [state, own] of Map.groupBy(hits, (hit) => hit.state)) {
    const ids = own.map(({ id }) => id).sort((a, b) => a - b)
    for (let at = 0; at < ids.length; at += CHUNK) {
      for (const { id, fieldValues } of await past.byIds(state, ids.slice(at, at + CHUNK))) {
        loader.add(id, { state, fieldValues, owner: 0, unit: '' })
      }
    }
  }
  return loader.finish().blocks.map(({ state, block, chunks }) => {
    const [ids, ...columns] = chunks.map(decodeChunk) as [Column, ...Column[]]
    const named = FACT_NAMES.map((name, at) => [name, columns[at]])
    const decoded: FactBlock = { ids: readIds(block, ids), columns: Object.fromEntries(named) }
    return { state, block: decoded }
  })
}
