import t from 'tap'
import type { StackFrame } from '../stacks/stack.ts'
import { anEvent } from '../store/conformance/testing.ts'
import { createFingerprintEvents } from './fingerprint-events.ts'

const stack = 'Error: failed\n    at run (/app/dist/main.js:1:2)'

t.test('lets other requests continue while it maps many events with the same stack', async t => {
  let [yields, mapped] = [0, 0]
  const maps = {
    covers: () => true,
    version: () => 1,
    map: async (frame: StackFrame) => {
      mapped += 1
      return { frame: { ...frame, content: null }, unmapped: null }
    },
  }
  const startSlice = () => ({
    isUsedUp: () => true,
    async yieldToOthers() {
      yields += 1
    },
  })
  const fingerprintEvents = createFingerprintEvents(maps, () => 'mapped', startSlice)
  const exception = { type: 'Error', message: 'failed', stack }
  const events = Array.from({ length: 10 }, () => anEvent({ exception, fingerprint: 'as sent' }))
  const result = await fingerprintEvents(events)
  t.same(new Set(result?.map(({ fingerprint }) => fingerprint)), new Set(['mapped']))
  t.equal(mapped, 1)
  t.equal(yields, 10)
})
