import fc from 'fast-check'
import t from 'tap'
import type { EventRow } from '../../../shared/event.ts'
import type { FailureDetail, OccurrenceKey } from '../../../shared/screens/development.ts'
import { linesOfEvents } from '../../components/log-lines.ts'
import { failureMarkdown } from './markdown.ts'

const failure: FailureDetail = {
  id: '0123456789',
  type: 'TypeError',
  message: "Cannot read properties of null (reading 'total')",
  route: null,
  release: null,
  digests: ['2338471'],
  digestCount: 1,
  services: ['shop'],
  serviceCount: 1,
  omittedReleases: 0,
  perRelease: [{ release: '1.4.0', count: 3, firstSeenMs: 0, lastSeenMs: 1 }],
  impact: { occurrences: 3, requests: 2, withoutRequest: 0, users: 0, withoutUser: 3 },
  firstSeenMs: Date.UTC(2026, 10, 20),
  lastSeenMs: Date.UTC(2026, 10, 21),
  stack: 'TypeError: …',
  frames: [
    {
      functionName: 'checkout',
      file: 'src/checkout.ts',
      line: 42,
      column: 17,
      inApp: true,
      code: { firstLine: 41, lines: ['const cart = find(id)', 'return cart.total', ''] },
      cause: null,
      unmapped: null,
    },
  ],
  sparkline: [],
  count: 3,
  state: 'open',
  stateMs: null,
  mutedUntilMs: null,
  resolved: null,
  returned: null,
  shownDigest: null,
  missingDigest: null,
  othersWithDigest: [],
  requestLog: null,
  occurrences: [],
  latest: null,
  context: null,
  stackOccurrence: null,
  hasStackOfOtherDigest: false,
  chart: { name: 'per-day', html: '' },
  notes: [],
  noteForm: { text: '', problem: null },
  resolveForm: { release: '', problem: null },
  knownReleases: [],
  fingerprints: [],
  fingerprintCount: 0,
  merge: null,
  splitProblem: null,
}

const markdownOf = (overrides: Partial<FailureDetail> = {}) =>
  failureMarkdown({ ...failure, ...overrides }, 'https://logs.example', linesOfEvents)

t.test('formats the type, message, counts, times, link, stack and code', async t => {
  t.equal(
    markdownOf(),
    [
      '## `TypeError`',
      "```\nCannot read properties of null (reading 'total')\n```",
      [
        '- Digest: `2338471`',
        '- Service: `shop`',
        '- Releases: `1.4.0` (3)',
        '- Occurrences: 3, in 2 known requests',
        '- First seen: 2026-11-20T00:00:00.000Z',
        '- Last seen: 2026-11-21T00:00:00.000Z',
        '- In Sixpane: https://logs.example/development?failure=0123456789',
      ].join('\n'),
      '### Stack',
      '```\nat checkout (src/checkout.ts:42:17)\n```',
      '### `src/checkout.ts:42:17`',
      '```\n  41 | const cart = find(id)\n> 42 | return cart.total\n  43 | \n```',
      '',
    ].join('\n\n'),
  )
})

t.test('includes the number of omitted digests, services and releases', async t => {
  const text = markdownOf({ digestCount: 18, serviceCount: 131, omittedReleases: 30 })
  t.match(text, '- Digest: `2338471`, and 17 more\n')
  t.match(text, '- Service: `shop`, and 130 more\n')
  t.match(text, '- Releases: `1.4.0` (3), and 30 more\n')
})

t.test('shows each exception of a chain, even if the first one has many frames', async t => {
  const [frame] = failure.frames
  if (frame === undefined) throw new Error('There is no frame')
  const at = (functionName: string, cause: string | null = null) => ({
    ...frame,
    functionName,
    code: null,
    cause,
  })
  const frames = [
    ...Array.from({ length: 30 }, (_, index) => at(`outer${index}`)),
    at('load', 'Caused by: FetchError: upstream failed'),
    at('connect', 'Caused by: ConnectionError: refused'),
  ]
  const place = '(src/checkout.ts:42:17)'
  t.match(
    markdownOf({ frames }),
    [
      `at outer5 ${place}`,
      '… 24 more frames',
      'Caused by: FetchError: upstream failed',
      `at load ${place}`,
      'Caused by: ConnectionError: refused',
      `at connect ${place}`,
      '```',
    ].join('\n'),
  )
})

const occurrence: EventRow = {
  id: 7,
  timeMs: Date.UTC(2026, 10, 21, 8, 59, 29),
  severity: 'error',
  service: 'shop',
  release: '3.10.0',
  source: 'ndjson',
  body: 'checkout failed',
  requestId: 'r-4711',
  traceId: 'a'.repeat(32),
  method: 'POST',
  route: '/pay',
  status: null,
  durationMs: null,
  digest: '2338471',
  fingerprint: '0123456789',
  exceptionType: null,
  exceptionMessage: null,
}

const logOf = (events: EventRow[], earlierOccurrence: OccurrenceKey | null = null) => ({
  occurrenceId: 7,
  earlierOccurrence,
  events,
  earlierFailure: null,
  more: false,
  q: '',
  range: { fromMs: 0, toMs: 1 },
})

t.test('with a digest, describes its latest occurrence, and the link contains the digest', async t => {
  const text = markdownOf({ shownDigest: '2338471', occurrences: [occurrence] })
  t.match(text, '/development?failure=0123456789&digest=2338471\n')
  t.match(
    text,
    [
      '### Latest occurrence with digest `2338471`',
      [
        '- Time: 2026-11-21T08:59:29.000Z',
        '- Service: `shop`',
        '- Release: `3.10.0`',
        '- Route: `POST /pay`',
        '- Request: `r-4711`',
        `- Trace: \`${'a'.repeat(32)}\``,
      ].join('\n'),
      '### Stack\n',
    ].join('\n\n'),
  )
  const bare = { ...occurrence, release: null, route: null, requestId: null, traceId: null }
  t.match(
    markdownOf({ occurrences: [bare] }),
    '### Latest occurrence\n\n- Time: 2026-11-21T08:59:29.000Z\n- Service: `shop`\n\n### Stack\n',
  )
})

t.test('includes the twenty log lines nearest to the failure, one line each', async t => {
  const line = (id: number) => ({ ...occurrence, id, body: `line ${id}\n${'x'.repeat(400)}` })
  const linesOf = (before: number, after: number) => {
    const events = [
      ...Array.from({ length: before }, (_, index) => line(100 + index)),
      occurrence,
      ...Array.from({ length: after }, (_, index) => line(200 + index)),
    ]
    const text = markdownOf({ occurrences: [occurrence], requestLog: logOf(events) })
    const [, lines = ''] = /### Log of the request\n\n```\n(.*)\n```\n/s.exec(text) ?? []
    return lines.split('\n')
  }
  const some = linesOf(30, 10)
  t.equal(some.length, 20)
  t.match(some[0], /^2026-11-21T08:59:29\.000Z error shop line 116 x{200,300}…$/)
  t.equal(some[14], '2026-11-21T08:59:29.000Z error shop checkout failed (POST /pay)')
  t.match(linesOf(30, 1)[0], 'line 112')
  t.equal(linesOf(3, 2).length, 6)
  t.notMatch(markdownOf({ occurrences: [occurrence] }), '### Log')
})

t.test('says which occurrence the stack and the log are from if it is not the latest', async t => {
  const latest = { ...occurrence, id: 8, requestId: null, traceId: null }
  const earlier = { ...occurrence, timeMs: Date.UTC(2026, 10, 21, 7, 16), release: '3.9.0' }
  const text = markdownOf({
    occurrences: [latest, earlier],
    requestLog: logOf([earlier], earlier),
    stackOccurrence: { ...earlier, release: null },
  })
  t.match(text, '### Stack, from the occurrence at 2026-11-21T07:16:00.000Z\n')
  t.match(
    markdownOf({ shownDigest: '42', stackOccurrence: earlier, hasStackOfOtherDigest: true }),
    '### Stack, from the occurrence at 2026-11-21T07:16:00.000Z in release `3.9.0`, which does not have this digest\n',
  )
  t.match(
    text,
    '### Log of the request, from the occurrence at 2026-11-21T07:16:00.000Z in release `3.9.0`\n',
  )
})

t.test('counts a single request in the singular', async t => {
  t.match(markdownOf({ impact: { ...failure.impact, requests: 1 } }), ', in 1 known request\n')
})

t.test('uses the raw stack if there are no frames, and omits the section if there is no stack', async t => {
  t.match(markdownOf({ frames: [] }), '### Stack\n\n```\nTypeError: …\n```')
  t.notMatch(markdownOf({ frames: [], stack: null }), 'Stack')
})

t.test('no message can end its code block', async () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^[`\n a]{0,20}$/))
  fc.assert(
    fc.property(text, message => {
      const [, fence = ''] = /^## [^\n]*\n\n(`{3,})\n/.exec(markdownOf({ message })) ?? []
      const after = markdownOf({ message }).split(`\n${fence}\n`)[2] ?? ''
      return fence !== '' && after.trimStart().startsWith('- Digest')
    }),
  )
})
