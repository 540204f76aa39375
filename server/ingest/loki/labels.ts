import { unescaped } from './logfmt-string.ts'

/** Name and value as the client wrote them: mostly texts, in JSON perhaps something else. */
export type Labels = Readonly<Record<string, unknown>>

const label = /\s*([^\s={}",]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`)\s*(?:,|(?=\}))/sy
/** Longer than any that a client means; Loki takes 15 labels of at most 3 KB. */
const longest = 64 * 1024

/**
 * Reads labels as LogQL writes them: `{app="shop", note="a \"quote\""}`, with Go's escapes or in backticks. What can't
 * be read stays as a text under `labels`, behind those that could be: the lines of a stream are worth more than its
 * refusal, and winston-loki escapes nothing.
 */
export function readLabels(text: string): Labels {
  const read: [string, string][] = []
  const start = /^\s*\{/.exec(text)?.[0].length ?? 0
  let at = start
  if (start > 0 && text.length <= longest) {
    label.lastIndex = at
    for (let found = label.exec(text); found !== null; found = label.exec(text)) {
      const [, name = '', quoted, raw = ''] = found
      read.push([name, quoted === undefined ? raw : unescaped(quoted)])
      at = label.lastIndex
    }
  }
  const rest = text.slice(at)
  if (rest.trim() !== '' && (start === 0 || rest.trim() !== '}')) read.push(['labels', rest])
  return Object.fromEntries(read)
}
