import { parseFrames, type Runtime, type StackFrame } from './frame.ts'
import { isWasm, parseLocation } from './script-location.ts'

/** SpiderMonkey (Firefox) and JavaScriptCore (Safari). Their stacks do not include the error itself. */
export const gecko: Runtime = {
  frames: lines => parseFrames(lines, geckoFrame),
  thrown: () => null,
}

/** SpiderMonkey prints what started a function that was not called directly: `async*total`, `setTimeout handler*total`. */
const called = /^(?:([\w. ]{1,100})\*)?(.*)$/

/** `async*total/<@https://host/cart.js:1:2`. JavaScriptCore prints only the location of an anonymous function. */
function geckoFrame(line: string): StackFrame | null {
  const at = line.indexOf('@')
  const isUrl = /^((?:blob:)?\w+:\/\/|\/)\S+$/.test(line)
  const isUrlAlone = isUrl && !/^[\w$./<*]*@/.test(line)
  if (at < 0 && !isUrlAlone) return null
  const [, start, name = ''] = called.exec(isUrlAlone ? '' : line.slice(0, at)) ?? []
  const location = parseLocation(isUrlAlone ? line : line.slice(at + 1))
  if (/\s/.test(name) && !nameWithSpace.test(name) && !isWasm(location?.file ?? '')) return null
  return location && { functionName: nameOf(name), ...location, async: start !== undefined }
}

const wasmFunction = 'wasm-function['
const nameWithSpace = /^(?:(?:global|module|eval) code|[gs]et \S+)$/

/**
 * SpiderMonkey names anonymous functions by their context: `checkout/<` is inside `checkout`, and `checkout/total<` is
 * assigned to `total` there. Like other engines, this parser returns no name for the first and `total` for the second, so
 * that one bug has the same frames in every browser. JavaScriptCore puts the names of WebAssembly functions in brackets.
 */
function nameOf(name: string): string | null {
  const bracket = name.indexOf(wasmFunction)
  if (bracket >= 0 && name.endsWith(']')) {
    const wasm = name.slice(bracket + wasmFunction.length, -1)
    return /^\d+$/.test(wasm) ? null : wasm
  }
  const plain = name.replace(/^.*\//, '').replace(/<$/, '')
  return plain === '' || /^(?:global|module|eval) code$/.test(plain) ? null : plain
}
