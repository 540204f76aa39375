import fc from 'fast-check'
import t from 'tap'
import type { FailureDetail } from '../../../shared/screens/development.ts'
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
  othersWithDigest: [],
  requestLog: null,
  occurrences: [],
  latest: null,
  context: null,
  stackOccurrence: null,
  chart: { name: 'per-day', html: '' },
  notes: [],
  noteForm: { text: '', problem: null },
  resolveForm: { release: '', problem: null },
  knownReleases: [],
  fingerprints: [],
  merge: null,
  splitProblem: null,
}

const markdownOf = (overrides: Partial<FailureDetail> = {}) =>
  failureMarkdown({ ...failure, ...overrides }, 'https://logs.example')

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
