import t from 'tap'
import { formatVital, ratingOf } from './vitals.ts'

t.test('rates metrics by the published thresholds; at a threshold, the better rating applies', async t => {
  t.equal(ratingOf('LCP', 2500), 'good')
  t.equal(ratingOf('LCP', 2500.1), 'needs improvement')
  t.equal(ratingOf('LCP', 4000), 'needs improvement')
  t.equal(ratingOf('LCP', 4001), 'poor')
  t.equal(ratingOf('INP', 201), 'needs improvement')
  t.equal(ratingOf('CLS', 0.1), 'good')
  t.equal(ratingOf('CLS', 0.26), 'poor')
  t.equal(ratingOf('TTFB', 1800), 'needs improvement')
})

t.test('formats times as durations and CLS as a number', async t => {
  t.equal(formatVital('LCP', 1240), '1.24 s')
  t.equal(formatVital('CLS', 0.12345), '0.123')
  t.equal(formatVital('CLS', 0), '0')
})
