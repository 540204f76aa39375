import { request } from 'node:http'
import t, { type Test } from 'tap'
import { failureSentence } from '../../shared/failure-page.ts'
import { paths } from '../../shared/paths.ts'
import { screens } from '../../shared/screens.ts'
import { createClean } from '../events/clean.ts'
import { createHttpApp } from '../http-app.ts'
import { createLogger } from '../logger.ts'
import { readConfig } from '../settings/config.ts'
import type { Store } from '../store/store.ts'
import { fakeContext } from '../testing/fake-context.ts'

type Line = Record<string, unknown>

/** Starts an application in which queries for events end only when they are aborted or when the test ends. */
async function start(t: Test, renderDeadlineMs: number) {
  const abortReasons: unknown[] = []
  let [started, aborted] = [() => {}, () => {}]
  const whenQueried = new Promise<void>(resolve => {
    started = resolve
  })
  const whenAborted = new Promise<void>(resolve => {
    aborted = resolve
  })
  const pending = new Set<(reason: Error) => void>()
  let hasEnded = false
  t.teardown(() => {
    hasEnded = true
    for (const reject of pending) reject(new Error('The test ended'))
  })
  const events: Store['events'] = (_query, signal) =>
    new Promise((_resolve, reject) => {
      if (hasEnded) reject(new Error('The test ended'))
      pending.add(reject)
      signal?.addEventListener('abort', () => {
        abortReasons.push(signal.reason)
        aborted()
        reject(signal.reason)
      })
      started()
    })
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
  const app = await createHttpApp(fakeContext({ config, build, logger, store: { events } }))
  t.teardown(() => app.close())
  return {
    app,
    abortReasons,
    whenQueried,
    whenAborted,
    errors: () => lines.filter(line => Number(line.level) >= 50),
  }
}

t.test('a disconnect aborts the store queries for the page and is not logged as a failure', async t => {
  const { app, abortReasons, whenQueried, whenAborted, errors } = await start(t, 60_000)
  const visit = request(new URL(paths.activities(), await app.listen({ port: 0 })))
  visit.on('error', () => {})
  visit.end()
  await whenQueried
  t.same(abortReasons, [])
  visit.destroy()
  await whenAborted
  t.match(abortReasons, [{ message: 'The visitor disconnected' }])
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

  const home = await app.inject({ url: screens.home.path, headers: browser })
  t.equal(home.statusCode, 200)
  t.same(errors(), [], 'overload is not a failure')
})
