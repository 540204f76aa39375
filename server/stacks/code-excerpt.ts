import type { Frame } from '../../shared/stack.ts'

const linesAround = 5
/** Generated files hold lines of any length. */
const longestLine = 300

/** The lines around a line (counted from 1), or `null` where the source does not have it. */
export function codeAround(content: string, line: number): Frame['code'] {
  const lines = content.split(/\r?\n/)
  if (line < 1 || line > lines.length) return null
  const firstLine = Math.max(1, line - linesAround)
  return {
    firstLine,
    lines: lines.slice(firstLine - 1, line + linesAround).map(text => text.slice(0, longestLine)),
  }
}
