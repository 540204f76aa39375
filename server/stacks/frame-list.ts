import type { Attributes, Json } from '../../shared/event.ts'
import { oneLine, type ThrownFrame } from './thrown-exception.ts'

/** The names of a frame's properties in loggers and error reporters. */
const names = {
  function: ['function', 'func', 'method', 'methodName', 'functionName', 'name'],
  module: ['class', 'className', 'declaringClass', 'module'],
  file: ['filePath', 'file', 'filename', 'fileName', 'source', 'path'],
  line: ['line', 'lineno', 'lineNumber', 'line_number', 'fileLine'],
  column: ['column', 'colno', 'columnNumber', 'fileColumn'],
} as const

/**
 * Reads a stack that is a list of frames, either objects (`{ func, source, line }`) or locations (`/app/cart.php:5`). Returns
 * `null` for any other list.
 */
export function readFrameList(list: readonly Json[]): ThrownFrame[] | null {
  const frames = list.map(readFrame)
  const read = frames.filter(frame => frame !== null)
  return read.length > 0 && read.length === frames.length ? read : null
}

function readFrame(value: Json): ThrownFrame | null {
  if (typeof value === 'string') return readLocation(value)
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null
  const [called, file] = [text(value, names.function), text(value, names.file)]
  const line = number(value, names.line)
  if (file === null || (called === null && line === null)) return null
  const module = text(value, names.module)
  return {
    // The V8 format has no module, so the function's name includes it.
    function: platforms.has(extensionOf(file)) ? called : joined(module, called, file),
    module,
    file,
    line,
    column: number(value, names.column),
    source: null,
  }
}

function joined(module: string | null, called: string | null, file: string): string | null {
  if (module === null || called === null) return called
  return `${module}${extensionOf(file) === 'php' ? '::' : '.'}${called}`
}

/** Reads a file and a line: `/app/cart.php:5`. */
export function readLocation(value: string): ThrownFrame | null {
  const [, file, line] = /^((?:\/|[A-Za-z]:[\\/])[^\n]{1,1000}):(\d{1,9})$/.exec(value) ?? []
  if (file === undefined) return null
  return { function: null, module: null, file, line: Number(line), column: null, source: null }
}

function text(fields: Attributes, keys: readonly string[]): string | null {
  const value = keys.map(key => fields[key]).find(each => typeof each === 'string' && each !== '')
  return typeof value === 'string' ? oneLine(value) : null
}

function number(fields: Attributes, keys: readonly string[]): number | null {
  const value = keys.map(key => fields[key]).find(each => /^\d{1,9}$/.test(String(each)))
  return value === undefined ? null : Number(value)
}

/** Returns the platform in whose format `stackText` should print these frames. */
export function platformOf(frames: readonly ThrownFrame[]): string {
  const candidates = frames.map(({ file }) => platforms.get(extensionOf(file ?? '')))
  return candidates.find(each => each !== undefined) ?? 'other'
}

function extensionOf(file: string): string {
  return file.slice(file.lastIndexOf('.') + 1)
}

const platforms = new Map([
  ...['java', 'kt', 'kts', 'scala', 'groovy', 'clj'].map(extension => [extension, 'java'] as const),
  ...['py', 'pyw'].map(extension => [extension, 'python'] as const),
  ['go', 'go'],
  ['cs', 'csharp'],
])
