/** The JSON Schema of where the values of an answer come from. */
import { type JsonSchema, json } from '../../record/json-schema.ts'

const CELLS: Record<string, JsonSchema> = {
  file: json.text('Name of the file, with the entry of an archive.'),
  row: json.integer('Line or record of the file, counted from 1.'),
  columns: json.texts('Columns as the file names them; empty for a shape.'),
  recorded: json.texts(
    'Text of each column as recorded, where it is not the value. Only of an import with ' +
      '`--keep-source`, and of no parcel of which something is suppressed.',
  ),
}

const VALUE: JsonSchema = {
  type: 'object',
  description: 'Without a file, the value is not from the roll.',
  required: ['rule'],
  properties: {
    ...CELLS,
    rule: json.text('How the value is made of the columns, in words.'),
    made: { enum: [true], description: 'It is standardized, derived or assigned here.' },
    import: json.integer('Number of the import in the history.'),
    also: json.list(
      { type: 'object', required: ['file', 'row', 'columns'], properties: CELLS },
      'Cells of further rows, at most 10 rows.',
    ),
  },
}

export const PROVENANCE_SCHEMA: JsonSchema = {
  type: 'object',
  description:
    'Lookups only: file, row, columns and rule of each value of the answer (docs/provenance.md).',
  properties: {
    missing: json.text('Why nothing is known; then without the rest.'),
    import: json.object(
      {
        id: json.integer('Number in the history.'),
        loadedAt: json.time('When it was loaded, UTC.'),
        mapping: json.text('Name of its mapping.'),
        keepsSource: json.boolean('Whether its rows were kept.'),
      },
      'The import that wrote the record.',
    ),
    values: {
      type: 'object',
      additionalProperties: VALUE,
      description: 'By the path of each value in the record: `transfers[0].transferPrice`.',
    },
  },
  additionalProperties: false,
}
