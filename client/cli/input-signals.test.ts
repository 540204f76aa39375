import t from 'tap'
import type { Timers } from '../sdk/sender-timers.ts'
import { createInputSignals } from './input-signals.ts'

/** Records the actions, on a clock that `after` advances before it sends a signal. */
function signals() {
  let nowMs = 0
  const actions: string[] = []
  const due: { atMs: number; call: () => void }[] = []
  const timers: Timers = {
    nowMs: () => nowMs,
    after(ms, call) {
      due.push({ atMs: nowMs + ms, call })
      return () => {}
    },
  }
  const input = createInputSignals(
    { endInput: () => actions.push('end'), exit: () => actions.push('exit') },
    timers,
  )
  const after = (ms: number, signal?: NodeJS.Signals) => {
    nowMs += ms
    for (const { call } of due.filter(({ atMs }) => atMs <= nowMs)) call()
    if (signal !== undefined) input.handle(signal)
    return actions
  }
  return { input, after }
}

t.test(
  'reads until the end of the input after a signal, which the piped program usually also gets',
  async t => {
    for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) {
      const { input, after } = signals()
      t.notOk(input.isInterrupted())
      t.same(after(0, signal), [])
      t.ok(input.isInterrupted())
      t.same(after(1, signal), [], 'npm passes the signal on')
      t.same(after(4998), [])
      t.same(after(1), signal === 'SIGTERM' ? ['end'] : [], 'SIGTERM may be sent only to this process')
    }
  },
)

t.test('a second signal ends the input, and a third one exits', async t => {
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) {
    const { after } = signals()
    after(0, signal)
    t.same(after(500, signal), ['end'])
    t.same(after(1, signal), ['end'])
    t.same(after(499, signal), ['end', 'exit'])
    t.same(after(5000), ['end', 'exit'])
  }
})

t.test('a signal after the end of the input exits, unless it is a duplicate', async t => {
  const { input, after } = signals()
  after(0, 'SIGINT')
  input.inputEnded()
  t.same(after(499, 'SIGINT'), [])
  t.same(after(1, 'SIGINT'), ['exit'])
})
