import fc from 'fast-check'
import t from 'tap'
import { severities } from './severity.ts'
import { anyCharacter } from './testing/any-character.ts'
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
    '2026-11-22 07:10:11,123 [main] [WARN ] a.b - slow': 'warn',
    '2026-11-22 07:10:11,123 [ INFO] a.b - served': 'info',
    '2026-11-22 07:10:11 [error    ] failed   order=1': 'error',
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

t.test('property: finds no level in sentences that mention one', async () => {
  const word = fc.constantFrom(
    ...['an', 'error', 'warning', 'fatal', 'info', 'critical', 'notice', 'alert', 'emergency', 'panic'],
    ...[
      'found',
      'in',
      'app',
      'app.error',
      '(none)',
      '[1]',
      '2026',
      '07:10:11',
      'Errors',
      'Warning',
      '3',
      '-',
    ],
  )
  fc.assert(
    fc.property(
      fc.constantFrom('', '2026-11-22 07:10:11 ', `${zap} `, `${monolog} `, `${log4j} `),
      fc.array(word, { maxLength: 12 }),
      (time, words) => levelOfText(`${time}the ${words.join(' ')}.`) === null,
    ),
  )
})

t.test('property: the level of any text is a severity or null', async () => {
  const piece = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.constantFrom(
      monolog,
      log4j,
      zap,
      ' ',
      '\t',
      '[',
      ']',
      'app.',
      'ERROR',
      'error',
      'WARN ',
      ':',
      '{"a":1}',
    ),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), pieces => {
      const level = levelOfText(pieces.join(''))
      return level === null || severities.includes(level)
    }),
  )
})

t.test('takes bounded time for long lines', async t => {
  const starts = ['', monolog, `${monolog} `, log4j, `${zap}\t`, '2026-11-22 07:10:11 [']
  const repeated = [
    'a',
    '.',
    'a.',
    '0',
    ' ',
    '\t',
    '[',
    '[ ',
    '[warn ',
    '-',
    'Ab ',
    'e+0',
    'app.ERROR',
    '(error ',
  ]
  for (const start of starts)
    for (const part of repeated) {
      const line = start + part.repeat(200_000)
      const startMs = performance.now()
      for (let run = 0; run < 10; run += 1) levelOfText(line)
      t.ok(performance.now() - startMs < 500, `${start}${part}`)
    }
})
