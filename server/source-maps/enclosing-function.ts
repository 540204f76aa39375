/** Limits on the number of lines to search and on their length. */
const maxLinesBack = 2000
const maxLineLength = 500

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
  // V8 also names this function `default`.
  new RegExp(String.raw`^export\s+(default)\s+${isFunction}`),
]
/** `async total(items: Item[]): Price {` */
const method = new RegExp(
  String.raw`^${modifiers}#?${word}\s*(?:<[^>]*>)?\([^()]*(?:\([^()]*\)[^()]*)*\)\s*(?::[^=]*)?\{`,
)
/** `total(` with one parameter per line, up to a line such as `): Price {`. */
const methodHead = new RegExp(String.raw`^${modifiers}#?${word}\s*(?:<[^>]*>)?\($`)
const endOfParameters = /^\).*\{$/

/**
 * Guesses the name of the function around a position from the less indented lines above it, because source maps contain
 * the positions of names, but not the ends of functions. Lines and columns start at 1.
 */
export function enclosingFunction(content: string, line: number, column: number): string | null {
  const lines = content.split(/\r?\n/, line)
  const textBefore = (lines[line - 1] ?? '').slice(0, Math.min(column - 1, maxLineLength))
  const inLine = functionBefore(textBefore.trim())
  if (inLine !== null) return inLine
  let indent = indentOf(lines[line - 1] ?? '')
  let isAfterParameters = endOfParameters.test((lines[line - 1] ?? '').trim())
  for (
    let index = line - 2;
    index >= Math.max(0, line - maxLinesBack) && (indent > 0 || isAfterParameters);
    index -= 1
  ) {
    const text = (lines[index] ?? '').slice(0, maxLineLength)
    const head = text.trim()
    const lineIndent = indentOf(text)
    if (head === '' || (isAfterParameters ? lineIndent > indent : lineIndent >= indent)) continue
    const name =
      nameIn(head, declarations) ?? nameIn(head, isAfterParameters ? [method, methodHead] : [method])
    if (name !== null) return name
    isAfterParameters = endOfParameters.test(head)
    indent = lineIndent
  }
  return null
}

/** Finds a function whose body starts on the same line before the position. */
function functionBefore(text: string): string | null {
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
