import type { Frame } from '../../shared/stack.ts'

const contextLines = 5
/** Longer lines are truncated, because lines in generated files can have any length. */
const maxLineLength = 300

/** Returns the source lines around a line, or `null` if the source has no such line. Lines start at 1. */
export function codeExcerpt(content: string, line: number): Frame['code'] {
  const lines = content.split(/\r?\n/)
  if (line < 1 || line > lines.length) return null
  const firstLine = Math.max(1, line - contextLines)
  return {
    firstLine,
    lines: lines.slice(firstLine - 1, line + contextLines).map(text => text.slice(0, maxLineLength)),
  }
}
