/** Splits a file of SQL into its statements: Citus passes on only one at a time. */

/** What a semicolon does not end: a comment, a quoted text or name, a body in dollars. */
const TOKENS = /--[^\n]*|'(?:[^']|'')*'|"[^"]*"|(\$\w*\$)[\s\S]*?\1|;/g

/**
 * The statements of a file in their order, each with the comments before it; empty ones are left
 * out.
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
