import type { SearchWord } from '../../shared/query-words.ts'
import { QuerySyntaxError } from './syntax-error.ts'

const maxNesting = 20

/**
 * Checks that operators have operands and that parentheses match.
 * @throws QuerySyntaxError for the first problem
 */
export function checkStructure(words: readonly SearchWord[]): void {
  const open: SearchWord[] = []
  let before: SearchWord | undefined
  for (const word of words) {
    const afterOperand = before?.kind === 'term' || before?.kind === 'close'
    if ((word.kind === 'and' || word.kind === 'or') && !afterOperand) throw lacksOperand(word, 'before')
    if (word.kind === 'open') {
      open.push(word)
      if (open.length > maxNesting) {
        throw new QuerySyntaxError(`Parentheses can be nested at most ${maxNesting} levels deep.`, word)
      }
    }
    if (word.kind === 'close') {
      const start = open.pop()
      if (start === undefined) {
        throw new QuerySyntaxError(
          'This closing parenthesis has no opening parenthesis. Put text with parentheses in double quotes.',
          word,
        )
      }
      if (before === start) {
        throw new QuerySyntaxError(
          'These parentheses are empty. Put text with parentheses in double quotes.',
          {
            from: start.from,
            to: word.to,
          },
        )
      }
      if (before !== undefined && !afterOperand) throw lacksOperand(before, 'after')
    }
    before = word
  }
  if (before !== undefined && before.kind !== 'term' && before.kind !== 'close' && before.kind !== 'open') {
    throw lacksOperand(before, 'after')
  }
  const unclosed = open.at(-1)
  if (unclosed !== undefined) {
    throw new QuerySyntaxError(
      'This parenthesis is not closed. Put text with parentheses in double quotes.',
      unclosed,
    )
  }
}

function lacksOperand(word: SearchWord, side: 'before' | 'after'): QuerySyntaxError {
  return new QuerySyntaxError(
    `${word.text} needs a term ${side} it. To search for the text itself, put it in double quotes.`,
    word,
  )
}
