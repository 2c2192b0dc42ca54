/** Finds the line of each value in a JSON text, so that a fault can name its line. */

/**
 * Returns the line, counted from 1, on which the property or item at a path begins. If the path is
 * not there, uses its deepest part that is.
 *
 * `text` must be valid JSON. Linear in its length.
 *
 * @example findLine('{\n "a": [\n 1,\n 2 ]}', ['a', '1']) // 4
 */
export function findLine(text: string, path: readonly string[]): number {
  const found = { depth: 0, at: 0 }
  const own: string[] = []
  const note = (at: number) => {
    const depth = own.length
    if (depth <= found.depth || depth > path.length) return
    if (own.every((key, index) => key === path[index])) Object.assign(found, { depth, at })
  }
  walkValue(text, skipBlanks(text, 0), own, note)
  return text.slice(0, found.at).split('\n').length
}

type Note = (at: number) => void

/** Walks the value that starts at `at` and returns its end. */
function walkValue(text: string, at: number, path: string[], note: Note): number {
  const first = text[at]
  if (first === '{' || first === '[') return walkList(text, at, path, note)
  if (first === '"') return endOfString(text, at)
  const rest = /[\s,\]}]/g
  rest.lastIndex = at
  return rest.exec(text)?.index ?? text.length
}

function walkList(text: string, start: number, path: string[], note: Note): number {
  const named = text[start] === '{'
  const end = named ? '}' : ']'
  let at = skipBlanks(text, start + 1)
  for (let index = 0; at < text.length && text[at] !== end; index += 1) {
    const keyAt = at
    if (named) {
      at = endOfString(text, at)
      path.push(JSON.parse(text.slice(keyAt, at)) as string)
      at = skipBlanks(text, skipBlanks(text, at) + 1)
    } else path.push(String(index))
    note(keyAt)
    at = skipBlanks(text, walkValue(text, at, path, note))
    path.pop()
    if (text[at] === ',') at = skipBlanks(text, at + 1)
  }
  return at + 1
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function skipBlanks(text: string, start: number): number {
  let at = start
  while (at < text.length && ' \n\r\t'.includes(text[at] ?? 'x')) at += 1
  return at
}
