import type { Test } from 'tap'
import { maxAuditEntries } from '../audit-store.ts'
import { type MakeLocation, noonMs } from './testing.ts'

/** Tests the audit log, and the list of sessions that users ended by signing out. */
export async function audit(t: Test, make: MakeLocation): Promise<void> {
  await t.test('lists the newest entries first, even after reopening', async t => {
    const location = make(t)
    const first = await location.open()
    const entry = { atMs: noonMs, user: 'ada', action: 'Muted failures', details: 'a, “b”' }
    await first.audit.add({ ...entry, id: '1' })
    await first.audit.add({ ...entry, id: '2', user: null, details: '' })
    await first.audit.add({ ...entry, id: '3', atMs: noonMs - 1 })
    await first.close()
    const store = await location.open()
    t.teardown(() => store.close())
    t.strictSame(await store.audit.list(2), [
      { ...entry, id: '2', user: null, details: '' },
      { ...entry, id: '1' },
    ])
    t.equal((await store.audit.list(maxAuditEntries)).length, 3)
  })

  await t.test('remembers ended sessions until they expire', async t => {
    const location = make(t)
    const first = await location.open()
    await first.endedSessions.end('a', noonMs + 1)
    await first.endedSessions.end('b', noonMs + 2)
    await first.endedSessions.end('b', noonMs + 2)
    await first.close()
    const store = await location.open()
    t.teardown(() => store.close())
    t.strictSame(await store.endedSessions.ended(noonMs), ['a', 'b'])
    t.strictSame(await store.endedSessions.ended(noonMs + 1), ['b'])
    t.strictSame(await store.endedSessions.ended(noonMs), ['b'], 'the expired session is deleted')
  })
}
