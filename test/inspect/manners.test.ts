/**
 * Ten rolls in ten manners, served by their drafts: every value is right, or the draft doubts it.
 */
import assert from 'node:assert/strict'
import test from 'node:test'
import { readMapping } from '../../src/import/mapping/mapping.ts'
import type { Draft } from '../../src/inspect/compose/draft.ts'
import { showDraft } from '../../src/inspect/compose/show-draft.ts'
import { inspectFile } from '../../src/inspect/inspect.ts'
import { importRoll, makeFolder, TODAY, write } from '../import/small-roll.ts'
import { startService } from '../service.ts'
import { MANNERS } from './manners/manners.ts'

for (const manner of MANNERS) {
  test(`a roll in a manner of its own is served rightly: ${manner.title}`, async (t) => {
    const { state, county, truths } = manner
    const data = makeFolder(t)
    const file = write(data, manner.fileName, manner.text)
    const { draft } = await inspectFile(file, { today: TODAY, mappings: [], state, county })
    const mapping = readMapping(showDraft(draft), 'the draft')
    const report = await importRoll(data, [file], { mapping, state, county, rollYear: 2024 })
    assert.equal(report.loaded, truths.length, JSON.stringify([report.reasons, report.skips]))
    const service = await startService('', { data })
    const key = await service.keyFor({ responseShape: 'flat' })
    const doubted = doubtedFields(draft)
    const wrong = new Map<string, string[]>()
    for (const truth of truths) {
      const query = { state, county, parcelId: manner.idOf(truth) }
      const { body } = await service.get('/public/property/parcelId/', query, { key })
      for (const [field, expected] of Object.entries(manner.expect(truth))) {
        const served = body.property?.[field]
        if (JSON.stringify(served) === JSON.stringify(expected)) continue
        if (served === null && doubted.has(field)) continue
        const fault =
          `${field} of ${manner.idOf(truth)}: ${JSON.stringify(served)}, not ` +
          `${JSON.stringify(expected)}`
        wrong.set(field, [...(wrong.get(field) ?? []), fault])
      }
    }
    await service.close()
    const faults = [...wrong].map(([, lines]) => `${lines.length} rows: ${lines[0]}`)
    assert.deepEqual(faults, [])
  })
}

/** Fields that the draft shows commented out: it does not know. */
function doubtedFields({ entries }: Draft): Set<string> {
  return new Set(entries.filter(({ certainty }) => certainty < 0.6).map(({ name }) => name))
}
