import type { Test } from 'tap'
import type { SharedState } from '../transfer-store.ts'
import { type MakeLocation, noonMs, openStore } from './testing.ts'

type Entries = {
  [Name in keyof SharedState]: [string, SharedState[Name] extends Map<string, infer V> ? V : never][]
}

const resolution = { atMs: noonMs, release: '1.5.0', oldReleases: [{ service: 'shop', release: null }] }
const record = { stateMs: noonMs, stateBy: null, mutedUntilMs: null, resolution: null, returned: null }
const frames = [
  { functionName: 'pay', file: 'pay.js' },
  { functionName: null, file: '“ü”.js' },
]
const conditions = { newFailure: true, returnedFailure: false, errorRatio: { above: 0.05, overMinutes: 5 } }
const delivery = { webhookId: 'webhook1', kind: 'new', subject: 'f1', body: '{}', createdMs: noonMs } as const

/** Entries of each collection, with and without optional values. */
const entries: Entries = {
  failureIds: [
    ['f1', 'f1'],
    ['f2', 'f1'],
    ['f3', 'f3'],
    ['f5', 'f1'],
  ],
  follows: [['f5', 'f1']],
  failures: [
    ['f1', { ...record, state: 'muted', stateBy: 'ada', mutedUntilMs: noonMs + 1, resolvedAfterId: 0 }],
    ['f3', { ...record, state: 'resolved', resolution, resolvedAfterId: 17 }],
    [
      'f4',
      {
        ...record,
        state: 'open',
        resolution: { ...resolution, release: null },
        resolvedAfterId: 18,
        returned: { release: '1.6.0', atMs: noonMs },
      },
    ],
  ],
  signatures: [
    [
      'f1',
      { fingerprint: 'f1', service: 'shop', release: null, subject: 'a', frames, seenMs: 1, replaces: null },
    ],
    [
      'f2',
      { fingerprint: 'f2', service: 'shop', release: '2', subject: 'a', frames, seenMs: 2, replaces: 'f1' },
    ],
  ],
  mergedFrom: [['f2', 'f2']],
  splits: [['f3 f1', ['f3', 'f1']]],
  notes: [
    ['note1', { id: 'note1', failureId: 'f1', writtenMs: noonMs, text: 'Known 😀', author: 'ada' }],
    ['note2', { id: 'note2', failureId: 'f1', writtenMs: noonMs, text: '' }],
  ],
  progress: [['failures', '4711']],
  savedSearches: [['search1', { id: 'search1', name: 'slow', view: 'q=x', createdMs: noonMs }]],
  webhooks: [
    [
      'webhook1',
      { id: 'webhook1', name: 'Chat', url: 'https://chat.example', secret: 's', conditions, createdMs: 1 },
    ],
  ],
  deliveries: [
    [
      'delivery1',
      { ...delivery, id: 'delivery1', attempts: 0, nextMs: 5, status: null, problem: null, endedMs: null },
    ],
    [
      'delivery2',
      { ...delivery, id: 'delivery2', attempts: 3, nextMs: null, status: 500, problem: 'No', endedMs: 9 },
    ],
  ],
  tokens: [
    [
      'token1',
      {
        id: 'token1',
        name: 'shop',
        createdMs: 1,
        scopes: ['ingest', 'backup'],
        services: ['shop'],
        expiresMs: noonMs,
        hash: 'hash1',
        usedMs: 2,
      },
    ],
    [
      'token2',
      {
        id: 'token2',
        name: 'all',
        createdMs: 1,
        scopes: ['read'],
        services: null,
        expiresMs: null,
        hash: 'hash2',
        usedMs: null,
      },
    ],
  ],
  endedSessions: [['session1', noonMs]],
  audit: [
    ['audit1', { id: 'audit1', atMs: noonMs, user: null, action: 'Muted a failure', details: 'f1' }],
    ['audit2', { id: 'audit2', atMs: noonMs, user: 'ada', action: 'Signed in', details: '' }],
  ],
  settings: [['level', { name: 'level', value: 'warn', changedMs: noonMs }]],
}

function write<Name extends keyof SharedState>(
  map: { set(key: string, value: Entries[Name][number][1]): unknown },
  list: Entries[Name],
): void {
  for (const [key, value] of list) map.set(key, value)
}

function byKey([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1
}

/** Tests reading and changing the shared state. `sixpane copy` uses both to copy the state to another store. */
export async function sharedState(t: Test, make: MakeLocation): Promise<void> {
  const fill = (state: SharedState) => {
    write(state.failureIds, entries.failureIds)
    write(state.failures, entries.failures)
    write(state.signatures, entries.signatures)
    write(state.mergedFrom, entries.mergedFrom)
    write(state.follows, entries.follows)
    write(state.splits, entries.splits)
    write(state.notes, entries.notes)
    write(state.progress, entries.progress)
    write(state.savedSearches, entries.savedSearches)
    write(state.webhooks, entries.webhooks)
    write(state.deliveries, entries.deliveries)
    write(state.tokens, entries.tokens)
    write(state.endedSessions, entries.endedSessions)
    write(state.audit, entries.audit)
    write(state.settings, entries.settings)
  }
  const read = (state: SharedState) =>
    Object.fromEntries(Object.keys(entries).map(name => [name, [...Reflect.get(state, name)].sort(byKey)]))

  await t.test('every entry is stored unchanged, even after a restart', async t => {
    const location = make(t)
    const store = await location.open()
    await store.sharedState(fill)
    t.strictSame(await store.sharedState(read), entries)
    await store.close()
    const reopened = await location.open()
    t.strictSame(await reopened.sharedState(read), entries)
    t.equal(await reopened.failureId('f2'), 'f1')
    t.ok(await reopened.manualGrouping.isMerged('f1'))
    t.ok(await reopened.manualGrouping.isSplit('f1', 'f3'))
    t.same([...(await reopened.tokens.byHash()).keys()].sort(), ['hash1', 'hash2'])
    t.same(
      (await reopened.audit.list(10)).map(({ id }) => id),
      ['audit2', 'audit1'],
    )
    t.match(await reopened.webhooks.due(noonMs, 10), [{ id: 'delivery1' }])
    await reopened.close()
  })

  await t.test("a token's entry contains the time at which the token was last used", async t => {
    const store = await openStore(t, make)
    await store.sharedState(fill)
    await store.tokens.recordUse(new Map([['token1', noonMs]]))
    t.equal(await store.sharedState(({ tokens }) => tokens.get('token1')?.usedMs), noonMs)
    await store.sharedState(({ tokens }) => write(tokens, entries.tokens))
    t.match(await store.tokens.list(), [
      { id: 'token2', usedMs: null },
      { id: 'token1', usedMs: 2 },
    ])
  })

  await t.test('entries can be changed and deleted', async t => {
    const store = await openStore(t, make)
    await store.sharedState(fill)
    await store.sharedState(state => {
      state.failureIds.set('f3', 'f1')
      state.mergedFrom.set('f3', 'f3')
      state.mergedFrom.delete('f2')
      state.follows.delete('f5')
      state.splits.delete('f3 f1')
      state.notes.delete('note1')
      state.tokens.delete('token1')
      state.settings.set('level', { name: 'level', value: 'info', changedMs: noonMs + 1 })
      state.failures.delete('f1')
    })
    t.strictSame(await store.sharedState(read), {
      ...entries,
      failureIds: [
        ['f1', 'f1'],
        ['f2', 'f1'],
        ['f3', 'f1'],
        ['f5', 'f1'],
      ],
      mergedFrom: [['f3', 'f3']],
      follows: [],
      splits: [],
      notes: entries.notes.slice(1),
      tokens: entries.tokens.slice(1),
      settings: [['level', { name: 'level', value: 'info', changedMs: noonMs + 1 }]],
      failures: entries.failures.slice(1),
    })
    await store.sharedState(state => {
      for (const name of Object.keys(entries)) {
        const map: Map<string, unknown> = Reflect.get(state, name)
        for (const key of map.keys()) map.delete(key)
      }
    })
    t.same(Object.values(await store.sharedState(read)).flat(), [])
  })
}
