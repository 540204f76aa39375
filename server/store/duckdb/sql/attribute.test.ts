import fc from 'fast-check'
import t from 'tap'
import type { Query } from '../../../../shared/query.ts'
import { anEvent, findMessages } from '../../conformance/testing.ts'
import { openMemoryStore } from '../../memory/store.ts'
import { openDuckDbStore } from '../store.ts'

const text = fc.oneof(
  fc.constantFrom(
    'pro',
    'Pro',
    'pro"',
    '"pro',
    'pro\\',
    '\\"pro',
    'a":"pro',
    '',
    '42',
    '4e1',
    '4_2',
    'NaN',
    'true',
    'null',
    '[]',
    '{',
  ),
  fc.string({ unit: fc.constantFrom(...'aA0":,\\/{[]}\n.*é '), maxLength: 6 }),
)
const key = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('plan', 'user', 'user.plan', '0') },
  { weight: 1, arbitrary: text },
)
const scalar = fc.oneof({ weight: 3, arbitrary: text }, fc.constantFrom(42, -1.5, true, false, null))
const value = fc.oneof(
  { weight: 2, arbitrary: scalar },
  fc.array(scalar, { maxLength: 2 }),
  fc.dictionary(key, scalar, { maxKeys: 3 }),
)
const attributes = fc.dictionary(key, value, { maxKeys: 4 })
const path = fc.oneof(
  fc.constantFrom('plan', 'user', 'user.plan', 'user.0', 'plan.0'),
  fc.array(key, { minLength: 1, maxLength: 3 }).map(keys => keys.join('.')),
)
const literal = fc.constantFrom({}, { literal: true as const })
const query: fc.Arbitrary<Query> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(path, fc.oneof({ weight: 3, arbitrary: text }, fc.constantFrom(42, true, 'p*', '*R*')), literal)
      .map<Query>(([path, value, flag]) => ({ kind: 'attribute', path, comparison: '=', value, ...flag })),
  },
  path.map<Query>(path => ({ kind: 'exists', field: { path } })),
  path.map<Query>(path => ({ kind: 'between', field: { path }, from: 1, to: 50 })),
)
const search = fc.oneof(
  { weight: 3, arbitrary: query },
  query.map<Query>(each => ({ kind: 'not', query: each })),
  fc.tuple(query, query).map<Query>(([left, right]) => ({ kind: 'or', left, right })),
)

t.test('property: a search for attributes finds the same events as the in-memory store', async t => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(attributes, { minLength: 20, maxLength: 40 }),
      fc.array(search, { minLength: 60, maxLength: 60 }),
      async (all, searches) => {
        await t.test('store', async t => {
          const memory = openMemoryStore()
          const store = await openDuckDbStore({ folder: t.testdir() })
          t.teardown(() => Promise.all([store.close(), memory.close()]))
          const events = all.map((attributes, index) => anEvent({ body: String(index), attributes }))
          await Promise.all([store.append(events), memory.append(events)])
          for (const query of searches)
            t.same(await findMessages(store, query), await findMessages(memory, query), JSON.stringify(query))
        })
      },
    ),
    { numRuns: 5 },
  )
})
