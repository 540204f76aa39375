import t from 'tap'
import type { NewEvent } from '../../../shared/event.ts'
import { anEvent } from '../../store/conformance/testing.ts'
import { openMemoryStore } from '../../store/memory/store.ts'
import { testNowMs } from '../../testing/fake-context.ts'
import { requestLog } from './request-log.ts'

const traceId = 'a'.repeat(32)
const { signal } = new AbortController()

function line(secondsAgo: number, body: string, rest: Partial<NewEvent> = {}): NewEvent {
  return anEvent({ timeMs: testNowMs - secondsAgo * 1000, service: 'shop', body, ...rest })
}

/**
 * Stores the lines, and loads the request log of a failure whose occurrences have the message `failed`.
 * @param fingerprints the fingerprints of the failure
 */
async function logOf(lines: NewEvent[], [id = 'failed', ...others]: string[] = []) {
  const store = openMemoryStore({ nowMs: () => testNowMs })
  await store.append(lines)
  for (const fingerprint of others) await store.manualGrouping.merge(fingerprint, id)
  const window = { fromMs: 0, toMs: testNowMs + 1 }
  const { events } = await store.events(
    { window, query: { kind: 'text', text: 'failed' }, limit: 20 },
    signal,
  )
  const log = await requestLog(id, events, store, signal)
  return log === null ? null : { ...log, bodies: log.events.map(({ body }) => body) }
}

t.test('contains the lines with the trace id or the request id from all services, oldest first', async t => {
  const log = await logOf([
    line(9, 'request received', { requestId: 'r-4711' }),
    line(8, 'another request', { requestId: 'r-4712', traceId: 'b'.repeat(32) }),
    line(7, 'charging', { service: 'pay', traceId }),
    line(6, 'failed', { traceId, requestId: 'r-4711' }),
    line(5, 'responded', { requestId: 'r-4711' }),
    line(3600, 'the same id, an hour earlier', { requestId: 'r-4711' }),
  ])
  t.same(log?.bodies, ['request received', 'charging', 'failed', 'responded'])
  t.equal(log?.events.find(({ id }) => id === log.occurrenceId)?.body, 'failed')
  t.equal(log?.q, `trace:${traceId} OR request:r-4711`)
  t.equal(log?.more, false)
})

t.test('contains the lines nearest to the failure', async t => {
  const log = await logOf([
    ...Array.from({ length: 50 }, (_, index) => line(100 - index, `before ${index}`, { traceId })),
    line(50, 'failed', { traceId }),
    ...Array.from({ length: 20 }, (_, index) => line(49 - index, `after ${index}`, { traceId })),
  ])
  t.equal(log?.bodies.length, 41)
  t.equal(log?.bodies[0], 'before 20')
  t.equal(log?.bodies.at(-1), 'after 9')
  t.equal(log?.more, true)
})

t.test('a request id unique only within a process is looked up only in the same service', async t => {
  for (const requestId of ['req-1', '17']) {
    const other = line(4, 'another process', { service: 'pay', requestId })
    const own = line(3, 'own line', { requestId })
    const log = await logOf([other, own, line(2, 'failed', { requestId })])
    t.same(log?.bodies, ['own line', 'failed'])
    t.equal(log?.q, `request:${requestId} service:shop`)
    const traced = await logOf([other, own, line(2, 'failed', { requestId, traceId })])
    t.same(traced?.bodies, ['failed'])
  }
})

t.test('uses the newest occurrence with an id', async t => {
  t.equal(await logOf([line(1, 'failed')]), null)
  const log = await logOf([
    line(1, 'failed'),
    line(2, 'failed', { requestId: 'r-2' }),
    line(3, 'failed', { requestId: 'r-3' }),
  ])
  t.equal(log?.q, 'request:r-2')
  t.match(log?.earlierOccurrence, { id: log?.occurrenceId, timeMs: testNowMs - 2000 })
  const ofNewest = await logOf([line(1, 'failed', { requestId: 'r-1' }), line(2, 'failed')])
  t.equal(ofNewest?.earlierOccurrence, null)
})

t.test('finds the first earlier event of another failure', async t => {
  const error = (secondsAgo: number, body: string, fingerprint: string) =>
    line(secondsAgo, body, { traceId, fingerprint })
  const lines = [
    line(9, 'request received', { traceId }),
    error(8, 'first attempt', 'mapped'),
    error(7, 'first attempt in another build', 'minified'),
    error(6, 'failed', 'mapped'),
    error(5, 'consequence', 'later'),
  ]
  const own = ['unmapped', 'mapped', 'minified']
  t.equal((await logOf(lines, own))?.earlierFailure, null)
  const causes = [error(7.5, 'cause', 'cause'), error(7.4, 'second', 'second')]
  const log = await logOf([...lines, ...causes], own)
  const { failureId, eventId } = log?.earlierFailure ?? {}
  t.equal(failureId, 'cause')
  t.equal(log?.events.find(({ id }) => id === eventId)?.body, 'cause')
  const merged = await logOf(
    [...lines, error(7.5, 'cause', 'cause')],
    ['unmapped', 'mapped', 'minified', 'cause'],
  )
  t.equal(merged?.earlierFailure, null)
})
