/** Example searches, as the Activities screen shows them. The tests of the parser read each of them. */
export const searchExamples: readonly { q: string; meaning: string }[] = [
  { q: 'timeout', meaning: 'the text stands anywhere in the event' },
  { q: '"card declined"', meaning: 'these words, one after the other' },
  { q: 'severity:>=warn', meaning: 'warnings and worse' },
  { q: 'service:api status:>=500', meaning: 'both hold' },
  { q: 'route:/api/*', meaning: '* stands for anything' },
  { q: 'duration:>1000', meaning: 'took more than 1000 ms' },
  { q: '-healthcheck', meaning: 'without this text; -source:own leaves out a value' },
  { q: 'service:api (timeout OR refused)', meaning: 'one of the two' },
  { q: 'digest:*', meaning: 'has a digest at all' },
  { q: 'order.currency:CHF', meaning: 'an attribute, by its dotted path' },
]
