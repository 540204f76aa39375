import t from 'tap'
import { withoutExclusion, withValueExcluded, withValueToggled } from './value-terms.ts'

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
    ['svc:A', 'a', ''],
    ['service:"a"', 'a', ''],
    ['service:=a', 'a', ''],
    ['service:"say \\"a\\""', 'say "a"', ''],
    ['service:a AND timeout', 'a', 'timeout'],
    ['timeout AND service:a AND b', 'a', 'timeout AND b'],
    ['timeout AND service:a', 'b', 'timeout AND (service:a OR service:b)'],
    ['-svc:a', 'a', 'service:a'],
    ['"service":a', 'a', ''],
    ['service:b service:a', 'a', 'service:b'],
    ['service:a timeout svc:A', 'a', 'timeout'],
    ['(service:a timeout) b', 'a', 'timeout b'],
    ['((service:a)) AND b', 'a', 'b'],
    ['(service:a) OR service:b', 'a', 'service:b'],
    ['(timeout b) OR c', 'a', '((timeout b) OR c) service:a'],
  ]
  for (const [before, value, after] of cases) {
    t.equal(withValueToggled(before, 'service', value), after, before)
  }
  t.equal(withValueToggled('status:0500', 'status', '500'), '')
  t.equal(withValueToggled('release:010', 'release', '10'), '(release:010 OR release:10)')
})

t.test('does not change terms that match several values or do not narrow the whole search', async t => {
  const cases: [before: string, after: string][] = [
    ['service:b OR timeout', '(service:b OR timeout) service:a'],
    ['NOT service:b', 'NOT service:b service:a'],
    ['-(service:b OR service:c)', '-(service:b OR service:c) service:a'],
    ['(service:b OR timeout)', '(service:b OR timeout) service:a'],
  ]
  for (const [before, after] of cases) t.equal(withValueToggled(before, 'service', 'a'), after, before)
  for (const several of ['status:>=500', 'status:[400 TO 599]', 'status:5xx', 'status:*']) {
    t.equal(withValueToggled(several, 'status', '503'), `${several} status:503`)
  }
  t.equal(withValueToggled('service:a*', 'service', 'ab'), 'service:a* service:ab')
})

t.test('excluding a value removes it from the accepted values', async t => {
  t.equal(withValueExcluded('(service:a OR service:b)', 'service', 'a'), 'service:b -service:a')
  t.equal(withValueExcluded('service:a', 'service', 'a'), '-service:a')
  t.equal(withValueExcluded('timeout', 'service', 'a'), 'timeout -service:a')
  t.equal(withValueExcluded('svc:a', 'service', 'a'), '-service:a')
  t.equal(withValueExcluded('service:a*', 'service', 'ab'), 'service:a* -service:ab')
})

t.test('an exclusion is removed however it was typed', async t => {
  const cases: [before: string, after: string][] = [
    ['-service:a', ''],
    ['b -svc:A', 'b'],
    ['NOT service:a b', 'b'],
    ['b AND NOT service:"a"', 'b'],
    ['NOT(service:a OR service:c) b', 'NOT service:c b'],
    ['-(service:a OR service:b)', '-service:b'],
    ['-service:b -service:a -(service:a)', '-service:b'],
    ['(-service:a timeout) b', 'timeout b'],
    ['-((service:a))', ''],
    ['-"service":a', ''],
    ['-service:b', '-service:b'],
    ['service:a', 'service:a'],
    ['-service:a OR b', '-service:a OR b'],
    ['NOT NOT service:a', 'NOT NOT service:a'],
  ]
  for (const [before, after] of cases) t.equal(withoutExclusion(before, 'service', 'a'), after, before)
})
