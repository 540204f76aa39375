import t from 'tap'
import type { NewEvent } from '../../shared/event.ts'
import { createFailures } from '../failures/failures.ts'
import { createLogger } from '../logger.ts'
import { createClean } from './clean.ts'
import { createNormalise } from './normalise.ts'
import { createSelfLog } from './self-log.ts'

const clean = createClean([])
const failures = createFailures({
  build: { mapsFolder: '/nowhere/maps', chunks: [], serverFiles: [], version: '1.2.3' },
})
const normalise = createNormalise(clean, failures)

function start() {
  const selfLog = createSelfLog()
  const output = { write: () => {} }
  const { logger } = createLogger({ level: 'info', release: '1.2.3', clean, onLine: selfLog.enqueue, output })
  const events: NewEvent[] = []
  const connect = () => selfLog.connect({ enqueueBestEffort: event => events.push(event) }, normalise)
  return { logger, events, connect, bodies: () => events.map(({ body }) => body) }
}

t.test('lines logged before the queue exists become events, once and in order', async t => {
  const { logger, connect, bodies, events } = start()
  logger.info('one')
  logger.warn('two')
  t.same(bodies(), [])
  connect()
  logger.info('three')
  t.same(bodies(), ['one', 'two', 'three'])
  t.match(events[1], { source: 'own', service: 'sixpane', release: '1.2.3', severity: 'warn' })
})

t.test('the number of lines waiting for the queue is limited', async t => {
  const { logger, connect, bodies } = start()
  for (let line = 0; line < 2000; line += 1) logger.info(`line ${line}`)
  connect()
  t.ok(bodies().length <= 1000)
  t.equal(bodies()[0], 'line 0')
})

t.test('the digest of a failure page becomes the fingerprint of its log line', async t => {
  const { logger, connect, events } = start()
  connect()
  logger.error({ err: new TypeError('No cart'), digest: '0123456789' }, 'Failed to render')
  logger.error({ err: new TypeError('No cart') }, 'Failed to render')
  t.match(events[0], { digest: '0123456789', fingerprint: '0123456789', exception: { type: 'TypeError' } })
  t.match(events[1], { digest: null, fingerprint: /^[0-9a-f]{10}$/ })
})
