import { readdir } from 'node:fs/promises'
import t from 'tap'
import { anEvent, noonMs } from '../../conformance/testing.ts'
import { openDuckDbStore } from '../store.ts'

const hourMs = 3_600_000

t.test('retention deletes a sealed segment whose events expired one by one', async t => {
  const folder = t.testdir()
  let nowMs = noonMs
  const store = await openDuckDbStore({ folder, nowMs: () => nowMs })
  t.teardown(() => store.close())
  await store.append([anEvent({ timeMs: noonMs + 48 * hourMs, body: 'clock ran ahead' })])
  nowMs += 20 * hourMs
  await store.append([anEvent({ timeMs: noonMs, body: 'late' })])
  nowMs += 16 * hourMs
  await store.append([anEvent({ timeMs: nowMs })])

  const segments = async () =>
    (await readdir(folder)).filter(file => /^events-\d+\.duckdb$/.test(file)).length
  t.equal(await segments(), 2)
  const limits = { maxAgeMs: 24 * hourMs, maxBytes: 1e12 }
  t.equal(await store.countExpired(limits, nowMs), 2)
  t.equal(await store.retain(limits, nowMs), 2)
  t.equal(await segments(), 1)
})
