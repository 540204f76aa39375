import type { StackFrame } from './frame.ts'

/** Parses `https://host/cart.js:1:2`, `native` or the location of an eval. Returns `null` for anything else. */
export function parseLocation(text: string): Pick<StackFrame, 'file' | 'line' | 'column'> | null {
  if (/^(native|native code|\[native code\]|<anonymous>|index \d+)$/.test(text)) {
    return {
      file: text.replace('[native code]', 'native').replace('native code', 'native'),
      line: null,
      column: null,
    }
  }
  // Evaluated code has no file: use the location of the `eval` call.
  if (text.startsWith('eval at ')) return parseLocation(innermost(text))
  const [, evalFile, evalLine] =
    /^(\S+) line (\d+)(?: > \w+ line \d+)* > (?:eval|Function):\d+:\d+$/.exec(text) ?? []
  if (evalFile !== undefined) return { file: evalFile, line: Number(evalLine), column: null }
  const [, file, line, column] =
    /^(.+):(\d{1,9}):(\d{1,9})$/.exec(text) ?? /^(.+):(\d{1,9})$/.exec(text) ?? []
  if (file === undefined || line === undefined) return null
  return { file, line: Number(line), column: column === undefined ? null : Number(column) }
}

/** `eval at f (eval at g (file:1:2), <anonymous>:1:1), <anonymous>:1:1` → `file:1:2` */
function innermost(text: string): string {
  const from = text.lastIndexOf('(eval at ') + 1
  const open = text.indexOf('(', from + 1)
  const close = text.indexOf('), <anonymous>', open)
  return open < 0 || close < 0 ? '<anonymous>' : text.slice(open + 1, close)
}
