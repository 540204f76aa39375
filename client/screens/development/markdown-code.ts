import { plainText } from '../../components/plain-text.ts'

/** A code block with a fence longer than any in the text: https://spec.commonmark.org/0.31.2/#fenced-code-blocks */
export function block(text: string): string {
  const plain = plainText(text)
  const fence = '`'.repeat(Math.max(longestRun(plain) + 1, 3))
  return `${fence}\n${plain}\n${fence}`
}

export function inline(text: string): string {
  const plain = plainText(text).replaceAll('\n', ' ')
  const fence = '`'.repeat(longestRun(plain) + 1)
  const space = plain.startsWith('`') || plain.endsWith('`') ? ' ' : ''
  return `${fence}${space}${plain}${space}${fence}`
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
}
