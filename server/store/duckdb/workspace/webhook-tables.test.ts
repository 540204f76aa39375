import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import t from 'tap'
import { openDuckDbStore } from '../store.ts'

/** Creates a store, runs statements on its workspace, and reopens it. */
async function storeAfter(folder: string, ...statements: string[]) {
  await (await openDuckDbStore({ folder })).close()
  const instance = await DuckDBInstance.create(join(folder, 'workspace.duckdb'))
  const connection = await instance.connect()
  for (const statement of statements) await connection.run(statement)
  connection.closeSync()
  instance.closeSync()
  return openDuckDbStore({ folder })
}

const webhook = (id: string, conditions: string) =>
  `INSERT INTO webhook VALUES ('${id}', 'Chat', 'https://chat.example/', 'whsec_AAAA', '${conditions}', 5)`

const delivery = (id: string, kind: string, nextMs: number) =>
  `INSERT INTO delivery VALUES ('${id}', 'w', '${kind}', '${id}', '{}', 5, 0, ${nextMs}, NULL, NULL, NULL)`

t.test('lists every webhook, even if another version wrote its conditions', async t => {
  const ratio = { above: 0.05, overMinutes: 5 }
  const off = { newFailure: false, returnedFailure: false, errorRatio: null }
  const cases: [stored: string, read: object][] = [
    [
      '{"newFailure":true,"returnedFailure":true,"errorRatio":{"above":0.05,"overMinutes":5}}',
      { newFailure: true, returnedFailure: true, errorRatio: ratio },
    ],
    // An older version: two conditions are missing.
    ['{"newFailure":true}', { ...off, newFailure: true }],
    // A newer version: conditions and details that this version does not support.
    [
      '{"newFailure":false,"slow":{"ms":5},"errorRatio":{"above":0.05,"overMinutes":5,"minRequests":9}}',
      { ...off, errorRatio: ratio },
    ],
    // A newer version: known names with other types.
    ['{"newFailure":{"services":["shop"]},"returnedFailure":"daily","errorRatio":0.05}', off],
    ['null', off],
    ['[]', off],
    ['{"newFailure":', off],
    ['', off],
  ]
  const store = await storeAfter(t.testdir(), ...cases.map(([stored], index) => webhook(`w${index}`, stored)))
  t.teardown(() => store.close())
  const found = await store.webhooks.list()
  t.strictSame(
    found.map(({ conditions }) => conditions),
    cases.map(([, read]) => read),
  )
})

t.test('messages of an unknown kind are ignored', async t => {
  const store = await storeAfter(t.testdir(), delivery('unknown', 'digest', 1), delivery('known', 'new', 2))
  t.teardown(() => store.close())
  t.equal(await store.webhooks.nextDueMs(), 2)
  t.match(await store.webhooks.due(10, 10), [{ id: 'known' }])
  t.match(await store.webhooks.deliveries('w', 10), [{ id: 'known' }])
})
