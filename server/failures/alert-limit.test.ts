import t from 'tap'
import { minuteMs } from '../../shared/duration-units.ts'
import { createAlertLimit } from './alert-limit.ts'
import type { DetectedAlert } from './detect-alerts.ts'

function limit() {
  const logged: unknown[] = []
  const clock = { nowMs: 0 }
  const { choose, count } = createAlertLimit(
    { warn: (...line: unknown[]) => logged.push(line[0]) },
    () => clock.nowMs,
  )
  /** Returns the number of alerts that are sent for a scan. */
  const scan = (found: number, kind: DetectedAlert['kind'] = 'new') => {
    const alerts = Array.from({ length: found }, (_, index): DetectedAlert => {
      return { kind, failureId: `f${index}`, service: 'shop', release: null, atMs: 0 }
    })
    const chosen = choose(alerts)
    count(alerts, chosen)
    return chosen.length
  }
  return { choose, scan, logged, clock }
}

t.test('at most 50 alerts are sent in any ten minutes, however many scans find them', async t => {
  const { scan, clock } = limit()
  t.equal(scan(30), 30)
  clock.nowMs = 6 * minuteMs
  t.equal(scan(30), 20)
  t.equal(scan(30), 0)
  clock.nowMs = 10 * minuteMs
  t.equal(scan(60), 30)
  clock.nowMs = 16 * minuteMs
  t.equal(scan(60), 20)
})

t.test('a flood of new failures does not suppress returned ones, which have their own limit', async t => {
  const { scan } = limit()
  t.equal(scan(60), 50)
  t.equal(scan(20, 'returned'), 20)
  t.equal(scan(60, 'returned'), 30)
})

t.test('alerts found by a failed scan do not count towards the limit', async t => {
  const { choose, scan } = limit()
  for (let attempt = 0; attempt < 100; attempt += 1)
    t.equal(choose([{ kind: 'new', failureId: 'f', service: 'shop', release: null, atMs: 0 }]).length, 1)
  t.equal(scan(50), 50)
})

t.test('the number of omitted alerts is logged once every ten minutes', async t => {
  const { scan, logged, clock } = limit()
  scan(50)
  t.same(logged, [])
  scan(10)
  scan(10)
  clock.nowMs = 5 * minuteMs
  scan(5)
  t.same(logged, [{ omitted: 10 }])
  clock.nowMs = 10 * minuteMs
  scan(0)
  t.same(logged, [{ omitted: 10 }, { omitted: 15 }])
  clock.nowMs = 20 * minuteMs
  scan(0)
  t.equal(logged.length, 2)
})
