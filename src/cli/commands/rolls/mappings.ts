/** `platbook mappings`: the built-in mappings. */
import { readFileSync } from 'node:fs'
import { findMapping, listMappingNames, loadMapping } from '../../../import/mapping/mapping.ts'
import { refuseMore } from '../../accounts-data.ts'
import type { Command } from '../../command.ts'
import { formatTable } from '../../table.ts'

/** `mappings`: lists the built-in mappings. */
export const mappingsCommand: Command = {
  name: 'mappings',
  usage: '[NAME|PATH]',
  example: 'platbook mappings\nplatbook mappings ne-lancaster',
  options: {},
  async run({ positionals }, io) {
    refuseMore(positionals, 1, 'mappings [NAME|PATH]')
    const [chosen] = positionals
    if (chosen !== undefined) {
      // Validates the document, so that faults are reported.
      const mapping = loadMapping(chosen)
      if (io.json) io.print(JSON.stringify(mapping))
      else io.print(readFileSync(findMapping(chosen), 'utf8').trimEnd())
      return
    }
    const mappings = listMappingNames().map((name) => {
      const { title, state = null, county = null } = loadMapping(name)
      return { name, title, state, county }
    })
    if (io.json) {
      io.print(JSON.stringify({ mappings }))
      return
    }
    const rows = mappings.map(({ name, title }) => [name, title])
    for (const line of formatTable(['name', 'title'], rows)) io.print(line)
  },
}
