import { connect } from 'node:net'
import t, { type Test } from 'tap'
import { failureSentence } from '../../shared/failure-page.ts'
import { paths } from '../../shared/paths.ts'
import { screens } from '../../shared/screens.ts'
import { until } from '../../shared/testing/until.ts'
import { createClean } from '../events/clean.ts'
import { createHttpApp } from '../http-app.ts'
import { createLogger } from '../logger.ts'
import { readConfig } from '../settings/config.ts'
import { anEvent } from '../store/conformance/testing.ts'
import type { EventQuery } from '../store/event-store.ts'
import { openMemoryStore } from '../store/memory/store.ts'
import type { Store } from '../store/store.ts'
import { fakeContext } from '../testing/fake-context.ts'

type Line = Record<string, unknown>

/** Starts an application in which queries for events and services end only when they are aborted or when the test ends. */
async function start(t: Test, renderDeadlineMs: number) {
  const abortReasons: unknown[] = []
  const pending = new Set<(reason: Error) => void>()
  let hasEnded = false
  t.teardown(() => {
    hasEnded = true
    for (const reject of pending) reject(new Error('The test ended'))
  })
  const hang = (signal?: AbortSignal) =>
    new Promise<never>((_resolve, reject) => {
      if (hasEnded) reject(new Error('The test ended'))
      pending.add(reject)
      signal?.addEventListener('abort', () => {
        abortReasons.push(signal.reason)
        reject(signal.reason)
      })
    })
  const store = {
    events: (_query: EventQuery, signal?: AbortSignal) => hang(signal),
    wholeEvents: (_query: EventQuery, signal?: AbortSignal) => hang(signal),
    seenSources: hang,
  }
  const lines: Line[] = []
  const { logger } = createLogger({
    level: 'info',
    release: '0.1.0',
    clean: createClean([]),
    onLine: () => {},
    output: { write: (text: string) => void lines.push(JSON.parse(text)) },
  })
  const config = { ...readConfig({}), renderDeadlineMs }
  const build = { ...fakeContext().build, assetsFolder: t.testdir({}) }
  const app = await createHttpApp(fakeContext({ config, build, logger, store }))
  t.teardown(() => app.close())
  return {
    app,
    abortReasons,
    queries: () => pending.size,
    errors: () => lines.filter(line => Number(line.level) >= 50),
  }
}

t.test('a disconnect aborts the store queries of all requests, and is not logged as a failure', async t => {
  const { app, abortReasons, queries, errors } = await start(t, 60_000)
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const visit = connect(Number(port), '127.0.0.1')
  const requested = [
    paths.activities(),
    paths.activities({ q: 'pipelined' }),
    paths.complete({ q: 'us' }),
    paths.find(),
  ]
  visit.write(requested.map(path => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''))
  await until(() => queries() === requested.length)
  t.same(abortReasons, [])
  visit.destroy()
  await until(() => abortReasons.length === requested.length)
  for (const reason of abortReasons) t.match(reason, { message: 'The visitor disconnected' })
  await app.close()
  t.same(errors(), [])
})

t.test(
  'the failure page replaces a page that exceeds its render deadline, and the store queries are aborted',
  async t => {
    const { app, abortReasons, errors } = await start(t, 20)
    const response = await app.inject({
      url: screens.activities.path,
      headers: { accept: 'text/html', host: 'localhost' },
    })
    t.equal(response.statusCode, 500)
    t.match(response.body, failureSentence('server', 'localhost'))
    t.match(response.body, 'Digest: 0123456789')
    t.equal(abortReasons.length, 1)
    t.match(errors(), [{ digest: '0123456789', route: '/activities' }])
  },
)

t.test('a page contains the events that arrive while it waits for its turn', async t => {
  const store = openMemoryStore({ nowMs: Date.now })
  let end = () => {}
  const ended = new Promise<void>(resolve => (end = resolve))
  let slow = 0
  const seenSources: Store['seenSources'] = async signal => {
    slow += 1
    await ended
    return store.seenSources(signal)
  }
  const build = { ...fakeContext().build, assetsFolder: t.testdir({}) }
  const app = await createHttpApp(fakeContext({ build, store: { ...store, seenSources } }))
  t.teardown(() => app.close())
  const headers = { accept: 'text/html', host: 'localhost' }
  const running = ['1h', '1d', '7d', '30d'].map(range =>
    app.inject({ url: `${screens.activities.path}?range=${range}`, headers }),
  )
  await until(() => slow === running.length)
  const waiting = app.inject({ url: paths.activities({ columns: 'message' }), headers })
  const arrivedMs = Date.now() + 5
  await until(() => Date.now() > arrivedMs)
  await store.append([anEvent({ timeMs: arrivedMs, body: 'arrived meanwhile' })])
  end()
  t.match((await waiting).body, 'arrived meanwhile')
  await Promise.all(running)
})

t.test('responds with the busy page if a page misses its deadline because of other pages', async t => {
  const { app, errors } = await start(t, 50)
  const responses = await Promise.all(
    [screens.activities.path, paths.activities({ q: 'slow' })].map(url =>
      app.inject({ url, headers: { accept: 'text/html', host: 'localhost' } }),
    ),
  )
  for (const response of responses) {
    t.equal(response.statusCode, 503)
    t.match(response.body, '<h1>Sixpane is busy</h1>')
  }
  t.same(errors(), [], 'overload is not a failure')
})

t.test('responds to searches beyond the limit with the busy page, and serves other pages', async t => {
  const { app, errors } = await start(t, 60_000)
  const browser = { accept: 'text/html', host: 'localhost' }
  const search = (text: number) =>
    app.inject({ url: paths.activities({ q: `text${text}` }), headers: browser })
  // Two run and 100 wait.
  const accepted = Array.from({ length: 102 }, (_, index) => search(index))
  for (const each of accepted) each.catch(() => {})
  const rejected = await Promise.race([search(102), ...accepted])
  t.equal(rejected.statusCode, 503)
  t.equal(rejected.headers['retry-after'], '5')
  t.equal(rejected.headers['cache-control'], 'no-store')
  t.match(rejected.body, '<h1>Sixpane is busy</h1>')
  t.notMatch(rejected.body, 'Digest')

  const other = await app.inject({ url: screens.development.path, headers: browser })
  t.equal(other.statusCode, 200)
  t.same(errors(), [], 'overload is not a failure')
})
