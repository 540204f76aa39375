import t from 'tap'
import type { NewEvent } from '../../shared/event.ts'
import { createFailures } from '../failures/failures.ts'
import { createLogger } from '../logger.ts'
import { createClean } from './clean.ts'
import { createNormalise } from './normalise.ts'
import { createSelfLog } from './self-log.ts'

const clean = createClean([])
const failures = createFailures({
  build: { assetsFolder: '/nowhere/assets', mapsFolder: '/nowhere/maps', chunks: [], version: '1.2.3' },
})
const normalise = createNormalise(clean, failures)

function start() {
  const own = createSelfLog()
  const output = { write: () => {} }
  const { logger } = createLogger({ level: 'info', release: '1.2.3', clean, offer: own.offer, output })
  const offered: NewEvent[] = []
  const connect = () => own.connect({ enqueueBestEffort: event => offered.push(event) }, normalise)
  return { logger, offered, connect, bodies: () => offered.map(({ body }) => body) }
}

t.test('what is logged before the queue is there comes first, and once', async t => {
  const { logger, connect, bodies, offered } = start()
  logger.info('one')
  logger.warn('two')
  t.same(bodies(), [])
  connect()
  logger.info('three')
  t.same(bodies(), ['one', 'two', 'three'])
  t.match(offered[1], { source: 'own', service: 'sixpane', release: '1.2.3', severity: 'warn' })
})

t.test('what waits for the queue is bounded', async t => {
  const { logger, connect, bodies } = start()
  for (let line = 0; line < 2000; line += 1) logger.info(`line ${line}`)
  connect()
  t.ok(bodies().length <= 1000)
  t.equal(bodies()[0], 'line 0')
})

t.test('a line with the digest of a failure page is an occurrence of that failure', async t => {
  const { logger, connect, offered } = start()
  connect()
  logger.error({ err: new TypeError('No cart'), digest: '0123456789' }, 'Failed to render')
  logger.error({ err: new TypeError('No cart') }, 'Failed to render')
  t.match(offered[0], { digest: '0123456789', fingerprint: '0123456789', exception: { type: 'TypeError' } })
  t.match(offered[1], { digest: null, fingerprint: /^[0-9a-f]{10}$/ })
})
