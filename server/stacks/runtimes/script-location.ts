import type { StackFrame } from './frame.ts'

/**
 * Parses `https://host/cart.js:1:2`, `native`, or a location in WebAssembly or an eval. Returns `null` for anything else.
 */
export function parseLocation(text: string): Pick<StackFrame, 'file' | 'line' | 'column'> | null {
  if (isWasm(text)) return { file: text, line: null, column: null }
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
  // Hermes prints an offset in its bytecode, which starts at 0, instead of a column.
  const location = text.replace(/^address at /, '')
  const shift = location === text ? 0 : 1
  const [, file, line, column] =
    /^(.+):(\d{1,9}):(\d{1,9})$/.exec(location) ?? /^(.+):(\d{1,9})$/.exec(location) ?? []
  if (file === undefined || line === undefined) return null
  return { file, line: Number(line), column: column === undefined ? null : Number(column) + shift }
}

/**
 * Whether a frame's file is in WebAssembly: `https://host/shop.wasm:wasm-function[12]:0x1a2b`. V8 prints the module's name and
 * a hash if it was not loaded from a URL: `wasm://wasm/shop.wasm-0133c842:wasm-function[12]:0x1a2b`.
 */
export function isWasm(file: string): boolean {
  return wasmPosition.test(file) || file === '[wasm code]'
}

export const wasmPosition = /:wasm-function\[\d{1,9}\]:0x[\da-f]{1,16}$/

/** `eval at f (eval at g (file:1:2), <anonymous>:1:1), <anonymous>:1:1` → `file:1:2` */
function innermost(text: string): string {
  const from = text.lastIndexOf('(eval at ') + 1
  const open = text.indexOf('(', from + 1)
  const close = text.indexOf('), <anonymous>', open)
  return open < 0 || close < 0 ? '<anonymous>' : text.slice(open + 1, close)
}
