import { request } from 'node:http'
import t, { type Test } from 'tap'
import { failureSentence } from '../../shared/failure-page.ts'
import { paths } from '../../shared/paths.ts'
import { screens } from '../../shared/screens.ts'
import { createApp } from '../app.ts'
import { createClean } from '../events/clean.ts'
import { createLogger } from '../logger.ts'
import { readConfig } from '../settings/config.ts'
import type { Store } from '../store/store.ts'
import { fakeContext } from '../testing/fake-context.ts'

type Line = Record<string, unknown>

/** An application whose search only ends when it is aborted, like one over too many events. */
async function start(t: Test, renderDeadlineMs: number) {
  const stops: unknown[] = []
  let [asked, stopped] = [() => {}, () => {}]
  const onceAsked = new Promise<void>(resolve => {
    asked = resolve
  })
  const onceStopped = new Promise<void>(resolve => {
    stopped = resolve
  })
  const events: Store['events'] = (_question, signal) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => {
        stops.push(signal.reason)
        stopped()
        reject(signal.reason)
      })
      asked()
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
  const app = await createApp(fakeContext({ config, build, logger, store: { events } }))
  t.teardown(() => app.close())
  return { app, stops, onceAsked, onceStopped, errors: () => lines.filter(line => Number(line.level) >= 50) }
}

t.test('a disconnect aborts the store queries of the page and is not logged as a failure', async t => {
  const { app, stops, onceAsked, onceStopped, errors } = await start(t, 60_000)
  const visit = request(new URL(paths.activities(), await app.listen({ port: 0 })))
  visit.on('error', () => {})
  visit.end()
  await onceAsked
  t.same(stops, [])
  visit.destroy()
  await onceStopped
  t.match(stops, [{ message: 'The visitor disconnected' }])
  await app.close()
  t.same(errors(), [])
})

t.test(
  'a page past its render deadline becomes the failure page, and its store queries are aborted',
  async t => {
    const { app, stops, errors } = await start(t, 20)
    const answer = await app.inject({
      url: screens.activities.path,
      headers: { accept: 'text/html', host: 'localhost' },
    })
    t.equal(answer.statusCode, 500)
    t.match(answer.body, failureSentence('server', 'localhost'))
    t.match(answer.body, 'Digest: 0123456789')
    t.equal(stops.length, 1)
    t.match(errors(), [{ digest: '0123456789', route: '/activities' }])
  },
)
