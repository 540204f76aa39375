import type { SearchWord } from '../../shared/query-words.ts'
import { QuerySyntaxError } from './syntax-error.ts'

/**
 * Checks that no value has a `*` outside its quotes: `message:"card"*` would be a literal value and a term that matches
 * every event.
 * @throws QuerySyntaxError for the first such value
 */
export function checkWildcards(words: readonly SearchWord[]): void {
  for (const [index, { head, text, from, to }] of words.entries()) {
    if (head === '') continue
    const next = words[index + 1]
    if (text.endsWith('"') && next?.from === to && next.text.startsWith('*')) throw literal(head, next)
    if (/^\*+"/.test(text.slice(head.length))) throw literal(head, { from: from + head.length, to })
  }
}

function literal(head: string, position: { from: number; to: number }): QuerySyntaxError {
  return new QuerySyntaxError(
    `A quoted value is literal. Use * without the quotes, also for a space: ${head}card*declined*.`,
    position,
  )
}
