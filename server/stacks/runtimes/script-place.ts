import type { StackFrame } from './frame.ts'

/** Where a script is: `https://host/cart.js:1:2`, `native`, the place of an eval. `null` for anything else. */
export function readPlace(text: string): Pick<StackFrame, 'file' | 'line' | 'column'> | null {
  if (/^(native|native code|\[native code\]|<anonymous>|index \d+)$/.test(text)) {
    return {
      file: text.replace('[native code]', 'native').replace('native code', 'native'),
      line: null,
      column: null,
    }
  }
  // Code of an eval has no place of its own: that of the eval is taken.
  if (text.startsWith('eval at ')) return readPlace(innermost(text))
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
