/** The number of the schema that this program reads and writes. */

/**
 * Raised whenever a baseline changes (`sqlite/baseline/`, `postgres/baseline.sql`) or what stored
 * rows mean, their keys too. Data of another number is refused: there are no migrations.
 */
export const SCHEMA_NUMBER = 153

/** The sentence about data of another number. `name`: a file or a database. */
export function explainOtherSchema(name: string): string {
  return (
    `${name} was made by another version of Platbook, whose data this one does not read: ` +
    'take an empty data folder or database and import the rolls again'
  )
}
