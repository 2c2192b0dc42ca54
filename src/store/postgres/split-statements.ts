/** Splits an SQL file into statements, because Citus accepts only one at a time. */

/**
 * Tokens in which a semicolon ends nothing: comments, quoted texts and names, dollar-quoted bodies.
 */
const TOKENS = /--[^\n]*|'(?:[^']|'')*'|"[^"]*"|(\$\w*\$)[\s\S]*?\1|;/g

/**
 * Returns the statements of a file in order, each with the comments before it, without empty ones.
 */
export function splitStatements(sql: string): string[] {
  const statements: string[] = []
  let start = 0
  for (const { 0: token, index } of sql.matchAll(TOKENS)) {
    if (token !== ';') continue
    statements.push(sql.slice(start, index))
    start = index + 1
  }
  statements.push(sql.slice(start))
  return statements
    .map((one) => one.trim())
    .filter((one) => one.replace(/--[^\n]*/g, '').trim() !== '')
}
