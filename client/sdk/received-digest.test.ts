import t from 'tap'

t.test('works in browsers that hide the server timing of pages without HTTPS', async t => {
  t.intercept(globalThis, 'document', { value: {} })
  const observed: ((list: object) => void)[] = []
  t.intercept(globalThis, 'PerformanceObserver', {
    value: class {
      constructor(callback: (list: object) => void) {
        observed.push(callback)
      }
      observe() {}
    },
  })
  const page = Object.create(PerformanceResourceTiming.prototype)
  t.intercept(performance, 'getEntriesByType', { value: () => [page] })
  const { onReceivedDigest, receivedDigest }: typeof import('./received-digest.ts') = await import(
    new URL('./received-digest.ts?fresh', import.meta.url).href
  )
  t.equal(receivedDigest(), null)

  let calls = 0
  const remove = onReceivedDigest(() => {
    calls += 1
  })
  const serverTiming = [{ name: 'digest', description: '7f3a' }]
  const response = Object.create(PerformanceResourceTiming.prototype, {
    serverTiming: { value: serverTiming },
  })
  for (const callback of observed) callback({ getEntries: () => [page, response] })
  t.equal(receivedDigest(), '7f3a')
  t.equal(calls, 1)
  remove()
})
