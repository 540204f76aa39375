import t from 'tap'
import { anEvent } from '../store/conformance/testing.ts'
import { fakeContext } from '../testing/fake-context.ts'
import { startMuteTimer } from './mute-timer.ts'

t.test('reopens failures whose mute ended while the server was not running', async t => {
  const { store, logger } = fakeContext()
  await store.append([anEvent({ fingerprint: 'a', severity: 'error' })])
  await store.failureStates.setState('a', 'muted', 1, { untilMs: Date.now() - 1 })
  await startMuteTimer({ store, logger }).stop()
  t.equal((await store.failure('a', 1, { fromMs: 0, toMs: 1 }))?.state, 'muted', 'stopped before it ran')
  const timer = startMuteTimer({ store, logger })
  await new Promise(resolve => setImmediate(resolve))
  await timer.stop()
  t.equal((await store.failure('a', 1, { fromMs: 0, toMs: 1 }))?.state, 'open')
})
