import type { Attributes, Json } from '../../shared/event.ts'
import { unescapeGo } from './logfmt-string.ts'

// Sticky and unambiguous, so that it runs in linear time.
const pair = /([A-Za-z_@][\w.@/-]*)=(?:"((?:[^"\\\n]|\\.)*)"|([^\s"]*))(?: +|$)/y

/**
 * Parses a line of logfmt (https://brandur.org/logfmt): `level=info msg="x y" status=200`. Returns `null` unless the line
 * consists of two or more pairs. Unquoted `true`, `false`, `null`, `nil` and decimal numbers become typed values. If a key
 * is repeated, the last value is used.
 *
 * The packages on npm (logfmt 1.4, @jclem/logfmt2 2.4) accept any text, so they cannot detect logfmt.
 */
export function readLogfmt(line: string): Attributes | null {
  const fields: [string, Json][] = []
  pair.lastIndex = 0
  while (pair.lastIndex < line.length) {
    const [, key, quoted, bare = ''] = pair.exec(line) ?? []
    if (key === undefined) return null
    fields.push([key, quoted === undefined ? readBare(bare) : unescapeGo(quoted)])
  }
  return fields.length < 2 ? null : Object.fromEntries(fields)
}

function readBare(text: string): Json {
  switch (text) {
    case 'true':
      return true
    case 'false':
      return false
    case 'null':
    case 'nil':
    case '<nil>':
      return null
  }
  const number = Number(text)
  // Ids such as 007, and numbers that JavaScript cannot represent exactly, remain text.
  return Number.isFinite(number) && String(number) === text ? number : text
}
