import fc from 'fast-check'
import t from 'tap'
import { levelOfText } from './text-level.ts'

const monolog = '[2026-11-22T07:10:11.123456+00:00]'
const log4j = '[2026-11-22T07:10:11,123]'
const zap = '2026-11-22T07:10:11.123Z'

t.test('recognises the levels of Monolog, log4j, structlog and zap', async t => {
  const levels: Record<string, string | null> = {
    '[2026-11-22T07:10:11+00:00] app.ERROR: Payment failed {"order":1} []': 'error',
    '[2026-11-22 07:10:11] production.CRITICAL: no disk {"exception":"…"}': 'fatal',
    [`${monolog} shop.cart.DEBUG: opened [] []`]: 'debug',
    [`${monolog} app.INFO: served [] []`]: 'info',
    [`${monolog} app.NOTICE: served [] []`]: 'info',
    [`${monolog} app.WARNING: slow [] []`]: 'warn',
    [`${monolog} app.ALERT: no disk [] []`]: 'fatal',
    [`${monolog} app.EMERGENCY: no disk [] []`]: 'fatal',
    [`${monolog} app.ALERT is a word`]: null,
    [`${monolog} saw app.error: none`]: null,
    'app.ERROR: without a time': null,
    [`${log4j}[WARN ][o.e.m.j.JvmGc] [node-1] slow`]: 'warn',
    [`${log4j}[ERROR][o.e.b.Node] [node-1] failed`]: 'error',
    '[WARN ] a.b - slow': 'warn',
    '2026-11-22 [WARN ] a.b - ERROR rate': 'warn',
    '07:10:11.123 [WARN ] a.b - slow': 'warn',
    'Nov 22 07:10:11 [WARN ] a.b - slow': 'warn',
    '2026-11-22 07:10:11,123 +0100 [WARN ] a.b - slow': 'warn',
    '2026-11-22 07:10:11,123 UTC [WARN ] a.b - slow': 'warn',
    '2026-11-22 07:10:11,123 [main] [WARN ] a.b - slow': 'warn',
    '2026-11-22 07:10:11,123 [ INFO] a.b - served': 'info',
    '2026-11-22 07:10:11,123 | [ INFO] | a.b - served': 'info',
    '2026-11-22 07:10:11 [error    ] failed   order=1': 'error',
    '2026-11-22 07:10:11 [warning  ] no [ error ] page': 'warn',
    '[warn] no [ error ] page': 'warn',
    '2026-11-22 07:10:11 ERROR no [ info ] page': 'error',
    'Use [ Error ] or [ Info ] buttons': null,
    '3 [ Error ] buttons': null,
    'see [error codes] in the manual': null,
    'if a < error > b': null,
    'lost ( error ) here': null,
    [`${zap}\terror\tmain.go:3\tboom`]: 'error',
    [`${zap}\tinfo\tshop\tmain.go:3\tserved\t{"order":1}`]: 'info',
    '2026-11-22T07:10:11.123+0100\tdpanic\tboom': 'fatal',
    '1.7953314111234e+09\twarn\tmain.go:3\tslow': 'warn',
    [`${zap}\tDPANIC\tmain.go:3\tboom`]: 'fatal',
    [`${zap}\terror codes\tall`]: null,
    'a column\terror\tanother': null,
  }
  for (const [line, level] of Object.entries(levels)) t.equal(levelOfText(line), level, line)
})

t.test('finds no level in a word that is only partly searched', async t => {
  for (const text of ['ERRORS', '[ ERROR]', 'level=errors'])
    for (let length = 90; length < 125; length += 1) {
      const line = `${'a'.repeat(length)} ${text} found`
      t.equal(levelOfText(line), null, line)
    }
})

const time = fc.constantFrom('', '2026-11-22 07:10:11 ', `${zap} `, `${zap}\t`, `${monolog} `, `${log4j} `)
const levelWord = fc.constantFrom('trace', 'debug', 'info', 'notice', 'warn', 'error', 'critical', 'dpanic')
const plainWord = fc.constantFrom(
  'an',
  'found',
  'app.error',
  '(none)',
  '[1]',
  '2026',
  '07:10:11',
  'Errors',
  '-',
)
/** How a sentence may mention a level that is not its own. */
const mention = levelWord.chain(word =>
  fc.constantFrom(
    word,
    `${word}:`,
    `[ ${word} ]`,
    `[${word}  ]`,
    `[ ${word.toUpperCase()}]`,
    `a\t${word}\tb`,
  ),
)
const sentence = fc
  .tuple(fc.array(fc.oneof(plainWord, mention), { maxLength: 12 }), fc.constantFrom(' ', '\t'))
  .map(([words, space]) => `the${space}${words.join(space)}.`)

t.test('property: finds no level in sentences that mention one', async () => {
  fc.assert(fc.property(time, sentence, (start, text) => levelOfText(start + text) === null))
})

t.test(
  'property: the level before a sentence is the level, whichever levels the sentence mentions',
  async () => {
    const upperCase = levelWord.map(word => word.toUpperCase())
    const marks: [mark: string, level: string][] = [
      ['ERROR ', 'error'],
      ['ERROR: ', 'error'],
      ['ERROR\t', 'error'],
      ['[ERROR] ', 'error'],
      ['[WARN ] ', 'warn'],
      ['[ INFO] ', 'info'],
      ['[main] [error    ] ', 'error'],
    ]
    for (const [mark, level] of marks)
      fc.assert(
        fc.property(time, sentence, upperCase, sentence, (start, text, word, more) => {
          return levelOfText(`${start}${mark}${text} ${word} ${more}`) === level
        }),
      )
  },
)
