/**
 * Reads stacks as V8, SpiderMonkey and JavaScriptCore write them, one line at a time.
 *
 * Not by `error-stack-parser-es`: it takes every line of a message for a frame of Firefox, knows no cause chain,
 * loses the name of `async` frames and paths with parentheses, and its expressions take quadratic time on long
 * lines; stacks come from strangers here.
 */
export type StackFrame = {
  functionName: string | null
  /** As the runtime named it: a path, a URL, `node:…`, `native`, `<anonymous>`. */
  file: string
  /** Both count from 1. */
  line: number | null
  column: number | null
  /** Reached over an `await`: nothing called it from the frame below. */
  async: boolean
}

export type StackLine = { text: string; frame: StackFrame | null }

const mostFrames = 200
const longestLine = 2000

/**
 * The lines of a stack, each with the frame that it holds; lines without one are messages and what joins a cause
 * (`caused by: …`, as pino writes it) to what it caused. Never throws; takes linear time.
 */
export function readStack(stack: string): StackLine[] {
  const texts = stack.split('\n')
  const read = texts.some(text => v8Frame(text) !== null) ? v8Frame : geckoFrame
  let frames = 0
  return texts.map(text => {
    const frame = frames < mostFrames ? read(text) : null
    if (frame !== null) frames += 1
    return { text, frame }
  })
}

/** The frames of a stack and of its causes, innermost first. */
export function stackFrames(stack: string): StackFrame[] {
  return readStack(stack).flatMap(({ frame }) => frame ?? [])
}

/** A frame as V8 writes it. */
export function writeFrame({ functionName, file, line, column, async }: StackFrame): string {
  const place = [file, line, column].filter(part => part !== null).join(':')
  const prefix = `    at ${async ? 'async ' : ''}`
  return functionName === null ? `${prefix}${place}` : `${prefix}${functionName} (${place})`
}

/** `at async Cart.total [as sum] (file:///app/cart.js:1:2)` */
function v8Frame(text: string): StackFrame | null {
  if (text.length > longestLine) return null
  const trimmed = text.trim()
  if (!trimmed.startsWith('at ')) return null
  const async = trimmed.startsWith('at async ')
  const rest = trimmed.slice(async ? 'at async '.length : 'at '.length)
  // A path may hold parentheses (`app/(shop)/page.tsx`), the name of a function before it does not.
  const open = rest.indexOf(' (')
  const named = open > 0 && rest.endsWith(')')
  const place = readPlace(named ? rest.slice(open + 2, -1) : rest)
  return place && { functionName: named ? v8Name(rest.slice(0, open)) : null, ...place, async }
}

/** `async*total/<@https://host/cart.js:1:2`; JavaScriptCore writes frames without a name as the place alone. */
function geckoFrame(text: string): StackFrame | null {
  if (text.length > longestLine) return null
  const trimmed = text.trim()
  const at = trimmed.indexOf('@')
  const isUrl = /^(\w+:\/\/|\/)\S+$/.test(trimmed)
  const isUrlAlone = isUrl && !/^[\w$./<*]*@/.test(trimmed)
  if (at < 0 && !isUrlAlone) return null
  const name = isUrlAlone ? '' : trimmed.slice(0, at)
  if (/\s/.test(name) && !/^(global|module|eval) code$/.test(name)) return null
  const place = readPlace(isUrlAlone ? trimmed : trimmed.slice(at + 1))
  return place && { functionName: geckoName(name), ...place, async: name.startsWith('async*') }
}

function readPlace(text: string): Pick<StackFrame, 'file' | 'line' | 'column'> | null {
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

function v8Name(name: string): string | null {
  const plain = name.replace(/ \[as .*$/, '')
  return plain === '<anonymous>' || plain === '' ? null : plain
}

function geckoName(name: string): string | null {
  const plain = name.replace(/^async\*/, '').replace(/[/<]+$/, '')
  return plain === '' || plain.endsWith(' code') ? null : plain
}
