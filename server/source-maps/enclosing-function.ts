/** Lines that are gone back over, and what of a line is looked at. */
const reach = 2000
const longestLine = 500

const word = String.raw`([\w$]+)`
const isFunction = String.raw`(?:async\b\s*)?(?:function\b|(?:<[^>]*>)?\(|[\w$]+\s*=>)`
const modifiers = String.raw`(?:(?:public|private|protected|static|override|readonly|async|get|set)\s+|\*\s*)*`
const keywords =
  /^(?:if|for|while|switch|catch|with|return|await|throw|new|else|do|try|typeof|void|yield|function)$/

/** `function total(`, `const total = async (…) => {`, `total: function`, `this.total = item =>` */
const declarations = [
  new RegExp(String.raw`\bfunction\s*\*?\s*${word}\s*[(<]`),
  new RegExp(String.raw`\b(?:const|let|var)\s+${word}\s*(?::.*)?=\s*${isFunction}`),
  new RegExp(String.raw`\b(?:const|let|var)\s+${word}\s*=.*(?:=>|\bfunction\b)`),
  new RegExp(String.raw`^(?:[\w$]+\.)*#?${word}\s*(?::\s*|=\s*)${isFunction}`),
]
/** `async total(items: Item[]): Price {` */
const method = new RegExp(
  String.raw`^${modifiers}#?${word}\s*(?:<[^>]*>)?\([^()]*(?:\([^()]*\)[^()]*)*\)\s*(?::[^=]*)?\{`,
)
/** `total(`, whose parameters take a line each, where `): Price {` ends them. */
const methodHead = new RegExp(String.raw`^${modifiers}#?${word}\s*(?:<[^>]*>)?\($`)
const endOfParameters = /^\).*\{$/

/**
 * The name of the function that holds a place of a source (counted from 1), by the lines above it that are indented
 * less; `null` where they do not say. No map tells it: it knows where a name stands, not how far its function reaches.
 */
export function enclosingFunction(content: string, line: number, column: number): string | null {
  const lines = content.split(/\r?\n/, line)
  const own = (lines[line - 1] ?? '').slice(0, Math.min(column - 1, longestLine))
  const inLine = declaredBefore(own.trim())
  if (inLine !== null) return inLine
  let indent = indentOf(lines[line - 1] ?? '')
  let isBehindParameters = endOfParameters.test((lines[line - 1] ?? '').trim())
  for (let at = line - 2; at >= Math.max(0, line - reach) && (indent > 0 || isBehindParameters); at -= 1) {
    const text = (lines[at] ?? '').slice(0, longestLine)
    const head = text.trim()
    const own = indentOf(text)
    if (head === '' || (isBehindParameters ? own > indent : own >= indent)) continue
    const name =
      nameIn(head, declarations) ?? nameIn(head, isBehindParameters ? [method, methodHead] : [method])
    if (name !== null) return name
    isBehindParameters = endOfParameters.test(head)
    indent = own
  }
  return null
}

/** A function that begins in the line of the place: its body has, too. */
function declaredBefore(text: string): string | null {
  return /=>|\{/.test(text) ? (nameIn(text, declarations) ?? nameIn(text, [method])) : null
}

function nameIn(text: string, patterns: readonly RegExp[]): string | null {
  for (const pattern of patterns) {
    const name = pattern.exec(text)?.[1]
    if (name !== undefined && !keywords.test(name)) return name
  }
  return null
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length
}
