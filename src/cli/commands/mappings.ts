/** `platbook mappings`: the mappings in the box. Source: cli.md. */
import { listMappingNames, loadMapping } from '../../import/mapping/mapping.ts'
import type { Command } from '../command.ts'
import { formatTable } from '../table.ts'

export const mappingsCommand: Command = {
  name: 'mappings',
  usage: '',
  summary: 'lists the mappings that come with Platbook',
  example: 'platbook mappings',
  options: {},
  async run(_args, io) {
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
