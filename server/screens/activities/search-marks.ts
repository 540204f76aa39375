import type { Query } from '../../../shared/query.ts'

const maxHighlights = 10

/** Returns the search words to highlight in messages. */
export function highlightedWords(query: Query): string[] {
  const words = [...new Set(wordsOf(query).map(word => word.trim()))].filter(word => word !== '')
  // Longest first, so a short word does not cut off the highlight of a longer word that contains it.
  return words.sort((a, b) => b.length - a.length).slice(0, maxHighlights)
}

function wordsOf(query: Query): string[] {
  switch (query.kind) {
    case 'and':
    case 'or':
      return [...wordsOf(query.left), ...wordsOf(query.right)]
    case 'text':
      return [query.text]
    case 'field': {
      const isShown = query.field === 'message' || query.field === 'exception'
      if (!isShown || typeof query.value !== 'string') return []
      return query.literal ? [query.value] : query.value.split('*')
    }
    default:
      return []
  }
}
