import { unescapeGo } from '../logfmt-string.ts'

/** Labels as sent by the client. Values are usually text, but JSON may contain other types. */
export type Labels = Readonly<Record<string, unknown>>

const label = /\s*([^\s={}",]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`)\s*(?:,|(?=\}))/sy
/** Loki accepts up to 15 labels of 3 KB each. */
const maxLength = 64 * 1024

/**
 * Parses labels in LogQL syntax: `{app="shop", note="a \"quote\""}`. Values use Go's escapes or backticks. winston-loki does
 * not escape values, so text that cannot be parsed becomes the label `labels`, and the stream's lines are accepted.
 */
export function readLabels(text: string): Labels {
  const read: [string, string][] = []
  const start = /^\s*\{/.exec(text)?.[0].length ?? 0
  let at = start
  if (start > 0 && text.length <= maxLength) {
    label.lastIndex = at
    for (let match = label.exec(text); match !== null; match = label.exec(text)) {
      const [, name = '', quoted, raw = ''] = match
      read.push([name, quoted === undefined ? raw : unescapeGo(quoted)])
      at = label.lastIndex
    }
  }
  const rest = text.slice(at)
  if (rest.trim() !== '' && (start === 0 || rest.trim() !== '}')) read.push(['labels', rest])
  return Object.fromEntries(read)
}
