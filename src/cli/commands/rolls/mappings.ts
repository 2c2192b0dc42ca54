/** `platbook mappings`: the built-in mappings. */
import { readFileSync } from 'node:fs'
import { findMapping, listMappingNames, loadMapping } from '../../../import/mapping/mapping.ts'
import { command } from '../../command.ts'
import { formatTable, printResult } from '../../table.ts'

export const mappingsCommand = command('mappings', async ({ positionals }, io) => {
  const [chosen] = positionals
  if (chosen !== undefined) {
    // Validates the document, so that faults are reported.
    const mapping = loadMapping(chosen)
    printResult(io, mapping, readFileSync(findMapping(chosen), 'utf8').trimEnd())
    return
  }
  const mappings = listMappingNames().map((name) => {
    const { title, state = null, county = null } = loadMapping(name)
    return { name, title, state, county }
  })
  const rows = mappings.map(({ name, title }) => [name, title])
  printResult(io, { mappings }, formatTable(['name', 'title'], rows))
})
