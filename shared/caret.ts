/**
 * Whether a line is the caret that Node prints below the source line of an uncaught error. Node prints at most 1020
 * characters, so the caret is missing if the position is further to the right.
 */
export function isCaret(line: string): boolean {
  return /^\s*\^+\s*$/.test(line.slice(0, 2000)) || /^ {1000}\s*$/.test(line.slice(0, 2000))
}
