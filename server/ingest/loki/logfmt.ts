import type { Attributes, Json } from '../../../shared/event.ts'
import { unescaped } from './logfmt-string.ts'

// Sticky, and without two ways to match one text: the time grows with the line, whatever it holds.
const pair = /([A-Za-z_@][\w.@/-]*)=(?:"((?:[^"\\\n]|\\.)*)"|([^\s"]*))(?: +|$)/y

/**
 * Reads a line of logfmt (https://brandur.org/logfmt): `level=info msg="x y" status=200`. Gives `null` for what is
 * not clearly that: each word must be a pair, and there must be two. Bare `true`, `false`, `null`, `nil` and plain
 * decimal numbers are read as such; of equal keys the last counts.
 *
 * The packages for it (logfmt 1.4, @jclem/logfmt2 2.4) make something of any text, and so can't say what is none.
 */
export function readLogfmt(line: string): Attributes | null {
  const fields: [string, Json][] = []
  pair.lastIndex = 0
  while (pair.lastIndex < line.length) {
    const [, key, quoted, bare = ''] = pair.exec(line) ?? []
    if (key === undefined) return null
    fields.push([key, quoted === undefined ? readBare(bare) : unescaped(quoted)])
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
  // An id such as 007 or one that a number can't hold stays a text.
  return Number.isFinite(number) && String(number) === text ? number : text
}
