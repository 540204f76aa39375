import t from 'tap'
import { withValueExcluded, withValueToggled } from './value-terms.ts'

t.test('adds and removes values of a field', async t => {
  const cases: [before: string, value: string, after: string][] = [
    ['', 'a', 'service:a'],
    ['timeout', 'a', 'timeout service:a'],
    ['service:a', 'b', '(service:a OR service:b)'],
    ['(service:a OR service:b) timeout', 'c', '(service:a OR service:b OR service:c) timeout'],
    ['(service:a OR service:b) timeout', 'a', 'service:b timeout'],
    ['timeout service:a', 'a', 'timeout'],
    ['service:a OR service:b', 'c', '(service:a OR service:b OR service:c)'],
    ['svc:a', 'two words', '(svc:a OR service:"two words")'],
    ['-service:a', 'a', 'service:a'],
    ['service:b -service:a', 'a', '(service:b OR service:a)'],
    ['status:500 route:/x', 'a', 'status:500 route:/x service:a'],
  ]
  for (const [before, value, after] of cases) {
    t.equal(withValueToggled(before, 'service', value), after, before)
  }
})

t.test('does not change terms that do not narrow the whole search', async t => {
  const cases: [before: string, after: string][] = [
    ['service:b OR timeout', '(service:b OR timeout) service:a'],
    ['NOT service:b', 'NOT service:b service:a'],
    ['-(service:b OR service:c)', '-(service:b OR service:c) service:a'],
    ['(service:b OR timeout)', '(service:b OR timeout) service:a'],
  ]
  for (const [before, after] of cases) t.equal(withValueToggled(before, 'service', 'a'), after, before)
  t.equal(withValueToggled('status:>=500', 'status', '404'), 'status:>=500 status:404')
})

t.test('excluding a value removes it from the accepted values', async t => {
  t.equal(withValueExcluded('(service:a OR service:b)', 'service', 'a'), 'service:b -service:a')
  t.equal(withValueExcluded('service:a', 'service', 'a'), '-service:a')
  t.equal(withValueExcluded('timeout', 'service', 'a'), 'timeout -service:a')
})
