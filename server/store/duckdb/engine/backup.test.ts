import { join } from 'node:path'
import t from 'tap'
import { anEvent, noonMs } from '../../conformance/testing.ts'
import { openDuckDbStore } from '../store.ts'

const dayMs = 86_400_000

t.test('a backup counts the events in its copy, even if retention deletes some in the meantime', async t => {
  const dir = t.testdir({ store: {}, copy: {} })
  let nowMs = noonMs
  const store = await openDuckDbStore({ folder: join(dir, 'store'), nowMs: () => nowMs })
  t.teardown(() => store.close())
  await store.append([anEvent({ timeMs: noonMs }), anEvent({ timeMs: noonMs - 5 * dayMs })])
  nowMs += 2 * dayMs
  await store.append([anEvent({ timeMs: nowMs })])

  const folder = join(dir, 'copy')
  const [copied, dropped] = await Promise.all([
    store.backup(folder),
    store.retain({ maxAgeMs: 4 * dayMs, maxBytes: 1e12 }, nowMs),
  ])
  t.equal(dropped, 1)
  const copy = await openDuckDbStore({ folder })
  t.teardown(() => copy.close())
  t.match(await copy.stats(), { events: copied })
})
