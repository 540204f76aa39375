import t from 'tap'
import type { FailureFingerprint, MergeCandidate } from '../../../shared/screens/development.ts'
import { render, testNowMs, textOf } from '../../components/testing.tsx'
import { Grouping } from './grouping.tsx'

const fingerprint: FailureFingerprint = {
  fingerprint: '0123456789',
  type: 'PaymentError',
  message: 'card <b>declined</b>',
  topFrame: { functionName: 'pay', file: 'src/pay.ts' },
  count: 5,
  releases: ['1.4.0', '1.3.0'],
  releaseCount: 7,
  lastSeenMs: testNowMs,
}
const other: FailureFingerprint = {
  ...fingerprint,
  fingerprint: 'abcdef0123',
  topFrame: null,
  count: 2,
  releases: [],
}
const candidate: MergeCandidate = {
  id: 'fedcba9876',
  type: 'Error',
  message: '',
  state: 'muted',
  count: 3,
  notes: 2,
  lastSeenMs: testNowMs,
}

type Grouped = Parameters<typeof Grouping>[0]['failure']
const failure: Grouped = {
  id: '0123456789',
  state: 'open',
  impact: { occurrences: 7, requests: 0, withoutRequest: 7, users: 0, withoutUser: 7 },
  fingerprints: [],
  fingerprintCount: 0,
  merge: null,
  splitProblem: null,
}
const renderGrouping = (overrides: Partial<Grouped>) =>
  render(
    <Grouping failure={{ ...failure, ...overrides }} list={{ state: 'resolved', range: { span: '7d' } }} />,
  )

t.test('a failure with one fingerprint offers only a merge', async t => {
  const html = renderGrouping({})
  t.match(textOf(html), 'Merge with another failure')
  t.notMatch(html, 'name="fingerprint"')
  t.notMatch(html, 'details class="failure-merge" open')
})

t.test('every fingerprint but the failure’s id can be split off, and shows its occurrences', async t => {
  const html = renderGrouping({ fingerprints: [fingerprint, other], fingerprintCount: 2 })
  t.match(textOf(html), 'This failure groups 2 fingerprints:')
  t.match(html, 'card &lt;b&gt;declined')
  t.match(textOf(html), /pay \( src\/pay\.ts \), 5 occurrences, in 1\.4\.0, 1\.3\.0 and 5 more/)
  t.same(
    [...html.matchAll(/name="fingerprint" value="(\w+)"/g)].map(([, value]) => value),
    ['abcdef0123'],
  )
  t.match(
    textOf(html),
    /2 occurrences will become a separate failure.*keeps its state and 5 other occurrences/,
  )
})

t.test('if not all fingerprints are listed, says how many there are', async t => {
  const html = renderGrouping({ fingerprints: [fingerprint, other], fingerprintCount: 1234 })
  t.match(textOf(html), 'This failure groups 1,234 fingerprints. The newest 2:')
})

t.test('a fingerprint that could not be split off is reported', async t => {
  const problem = 'This fingerprint can’t be split off any more'
  const html = renderGrouping({ splitProblem: problem })
  t.match(textOf(html), problem)
  t.match(html, 'role="alert"')
  t.notMatch(renderGrouping({}), 'role="alert"')
})

t.test('the merge form shows problems and similar failures, and asks for confirmation', async t => {
  const problem = 'No stored failure has this ID, fingerprint or digest'
  const found = { value: 'x"<', problem, chosen: null, similar: [candidate] }
  t.match(textOf(renderGrouping({ merge: found })), problem)
  t.match(renderGrouping({ merge: found }), 'value="x&quot;')
  t.match(renderGrouping({ merge: found }), 'value="fedcba9876"')
  t.match(textOf(renderGrouping({ merge: { ...found, similar: [] } })), 'has a similar stack')
  const confirm = renderGrouping({ merge: { ...found, problem: null, chosen: candidate } })
  t.match(confirm, 'name="other" value="fedcba9876"')
  t.match(
    textOf(confirm),
    /3 occurrences and 2 notes will move to this failure, which then has 10 occurrences\. It keeps its ID and remains open, although the other failure is muted\./,
  )
})

t.test('the merge forms preserve the filters of the list', async t => {
  const merge = { value: '', problem: null, chosen: null, similar: [candidate] }
  const search = renderGrouping({ merge })
  t.equal(
    search.match(/name="state" value="resolved"/g)?.length,
    2,
    'when a failure is searched for or selected',
  )
  t.equal(search.match(/name="range" value="7d"/g)?.length, 2)
  const confirm = renderGrouping({ merge: { ...merge, chosen: candidate } })
  t.match(confirm, 'action="/development?state=resolved&amp;failure=0123456789&amp;range=7d#grouping"')
})
