import t from 'tap'
import { createStopSignals } from './stop-signals.ts'

t.test('the first signal stops the server, the second forces the stop, and duplicates have no effect', t => {
  const calls: string[] = []
  const clock = { nowMs: 10_000 }
  const onSignal = createStopSignals(
    { stop: signal => calls.push(`stop ${signal}`), forceStop: signal => calls.push(`forceStop ${signal}`) },
    () => clock.nowMs,
  )
  onSignal('SIGINT')
  clock.nowMs += 499
  onSignal('SIGINT')
  t.same(calls, ['stop SIGINT'])
  clock.nowMs += 1
  onSignal('SIGTERM')
  onSignal('SIGTERM')
  t.same(calls, ['stop SIGINT', 'forceStop SIGTERM'])
  t.end()
})
