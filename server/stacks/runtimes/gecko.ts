import { framesOf, type Runtime, type StackFrame } from './frame.ts'
import { readPlace } from './script-place.ts'

/** SpiderMonkey (Firefox) and JavaScriptCore (Safari): the stack alone, without what was thrown. */
export const gecko: Runtime = {
  frames: lines => framesOf(lines, geckoFrame),
  thrown: () => null,
}

/** `async*total/<@https://host/cart.js:1:2`; JavaScriptCore writes frames without a name as the place alone. */
function geckoFrame(line: string): StackFrame | null {
  const at = line.indexOf('@')
  const isUrl = /^(\w+:\/\/|\/)\S+$/.test(line)
  const isUrlAlone = isUrl && !/^[\w$./<*]*@/.test(line)
  if (at < 0 && !isUrlAlone) return null
  const name = isUrlAlone ? '' : line.slice(0, at)
  if (/\s/.test(name) && !/^(global|module|eval) code$/.test(name)) return null
  const place = readPlace(isUrlAlone ? line : line.slice(at + 1))
  return place && { functionName: nameOf(name), ...place, async: name.startsWith('async*') }
}

/**
 * SpiderMonkey names a function without a name after where it stands: `checkout/<` is one inside of `checkout`,
 * `checkout/total<` is what `checkout` keeps as `total`. Other engines say nothing of the first and `total` of the
 * second, and so is said here: one fault should read the same from every browser.
 */
function nameOf(name: string): string | null {
  const plain = name
    .replace(/^async\*/, '')
    .replace(/^.*\//, '')
    .replace(/<$/, '')
  return plain === '' || plain.endsWith(' code') ? null : plain
}
