import type { Query, QueryProblem } from '../../shared/query.ts'
import { searchWords } from '../../shared/query-words.ts'
import { checkStructure } from './check.ts'
import { checkAttributes } from './check-attributes.ts'
import { checkWildcards } from './check-wildcards.ts'
import { joinTerms } from './structure.ts'
import { QuerySyntaxError } from './syntax-error.ts'
import { readTerm } from './term.ts'

/**
 * Limits on the work that one search causes in the parser and the store. The store reads each text field of an event once,
 * regardless of the number of terms, but reads each attribute separately.
 */
export const maxSearchLength = 2000
const maxTerms = 50

/**
 * Parses a search as typed or pasted. Never throws: if a search cannot be parsed, returns the problem, its
 * position and how to fix it.
 */
export function parseQuery(text: string): { query: Query } | { problem: QueryProblem } {
  try {
    return { query: parse(text) }
  } catch (error) {
    if (error instanceof QuerySyntaxError) return { problem: error.problem }
    throw error
  }
}

function parse(text: string): Query {
  if (text.length > maxSearchLength) {
    throw new QuerySyntaxError(
      `A search can have at most ${maxSearchLength} characters; this one has ${text.length}.`,
      {
        from: maxSearchLength,
        to: text.length,
      },
    )
  }
  const words = searchWords(text)
  const terms = words.filter(({ kind }) => kind === 'term')
  const firstExcess = terms[maxTerms]
  if (firstExcess !== undefined) {
    throw new QuerySyntaxError(`A search can have at most ${maxTerms} terms. Put phrases in double quotes.`, {
      from: firstExcess.from,
      to: text.length,
    })
  }
  const queries = terms.map(readTerm)
  checkAttributes(terms, queries)
  checkWildcards(words)
  checkStructure(words)
  return joinTerms(words, queries)
}
