/** The example searches on the Activities screen. The parser's tests parse each of them. */
export const searchExamples: readonly { q: string; meaning: string }[] = [
  { q: 'timeout', meaning: 'text anywhere in the event' },
  { q: '"card declined"', meaning: 'exact phrase' },
  { q: 'severity:>=warn', meaning: 'warnings and above' },
  { q: 'service:api status:>=500', meaning: 'both conditions' },
  { q: 'route:/api/*', meaning: '* matches any text' },
  { q: 'retry*failed', meaning: '* inside a word: searches only the message' },
  { q: 'duration:>1000', meaning: 'longer than 1000 ms' },
  { q: '-healthcheck', meaning: 'excludes this text; -source:own excludes a value' },
  { q: 'service:api (timeout OR refused)', meaning: 'either of two texts' },
  { q: 'digest:*', meaning: 'has a digest' },
  { q: 'order.currency:CHF', meaning: 'an attribute path' },
]
