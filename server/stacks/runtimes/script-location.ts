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
  const [, bytecode, file, line, column] =
    /^(address at )?(.+):(\d{1,9}):(\d{1,9})$/.exec(text) ?? /^()(.+):(\d{1,9})$/.exec(text) ?? []
  if (file === undefined || line === undefined) return null
  if (column === undefined) return { file, line: Number(line), column: null }
  // The columns of Hermes are offsets in its bytecode, which start at 0.
  return { file, line: Number(line), column: Number(column) + (bytecode ? 1 : 0) }
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
