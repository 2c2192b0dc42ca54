/** The JSON Schema of where the values of an answer come from. */
import type { JsonSchema } from '../../record/schema.ts'

const TEXTS: JsonSchema = { type: 'array', items: { type: 'string' } }

const CELLS: Record<string, JsonSchema> = {
  file: { type: 'string', description: 'Name of the file, with the entry of an archive.' },
  row: { type: 'integer', description: 'Line or record of the file, counted from 1.' },
  columns: { ...TEXTS, description: 'Columns as the file names them; empty for a shape.' },
  recorded: {
    ...TEXTS,
    description:
      'Text of each column as recorded, where it is not the value. Only of an import with ' +
      '`--keep-source`, and of no parcel of which something is suppressed.',
  },
}

const VALUE: JsonSchema = {
  type: 'object',
  description: 'Without a file, the value is not from the roll.',
  required: ['rule'],
  properties: {
    ...CELLS,
    rule: { type: 'string', description: 'How the value is made of the columns, in words.' },
    made: { enum: [true], description: 'It is standardized, derived or assigned here.' },
    import: { type: 'integer', description: 'Number of the import in the history.' },
    also: {
      type: 'array',
      items: { type: 'object', required: ['file', 'row', 'columns'], properties: CELLS },
      description: 'Cells of further rows, at most 10 rows.',
    },
  },
}

export const PROVENANCE_SCHEMA: JsonSchema = {
  type: 'object',
  description:
    'Lookups only: file, row, columns and rule of each value of the answer (docs/provenance.md).',
  properties: {
    missing: { type: 'string', description: 'Why nothing is known; then without the rest.' },
    import: {
      type: 'object',
      description: 'The import that wrote the record.',
      required: ['id', 'loadedAt', 'mapping', 'keepsSource'],
      properties: {
        id: { type: 'integer', description: 'Number in the history.' },
        loadedAt: { type: 'string', format: 'date-time', description: 'When it was loaded, UTC.' },
        mapping: { type: 'string', description: 'Name of its mapping.' },
        keepsSource: { type: 'boolean', description: 'Whether its rows were kept.' },
      },
    },
    values: {
      type: 'object',
      additionalProperties: VALUE,
      description: 'By the path of each value in the record: `transfers[0].transferPrice`.',
    },
  },
  additionalProperties: false,
}
