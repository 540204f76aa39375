import type { Test } from 'tap'
import type { NewDelivery, NoticeKind, Webhook } from '../webhook-store.ts'
import { type MakeLocation, noonMs, openStore } from './testing.ts'

const hourMs = 3_600_000

function aWebhook(overrides: Partial<Webhook> = {}): Webhook {
  const conditions = { newFailure: true, returnedFailure: false, errorRatio: { above: 0.05, overMinutes: 5 } }
  return {
    id: 'w1',
    name: 'Chat',
    url: 'https://chat.example/x',
    secret: 'whsec_AAAA',
    conditions,
    createdMs: noonMs,
    ...overrides,
  }
}

function aDelivery(overrides: Partial<NewDelivery> = {}): NewDelivery {
  return {
    id: 'd1',
    webhookId: 'w1',
    kind: 'new',
    subject: 'f1',
    body: '{"text":"ä😀"}',
    createdMs: noonMs,
    nextMs: overrides.createdMs ?? noonMs,
    ...overrides,
  }
}

/** Tests webhooks and their messages. */
export async function webhooks(t: Test, make: MakeLocation): Promise<void> {
  await t.test(
    'webhooks survive reopening the store, and a webhook is removed together with its messages',
    async t => {
      const location = make(t)
      const first = await location.open()
      await first.webhooks.add(aWebhook())
      await first.webhooks.add(
        aWebhook({
          id: 'w2',
          createdMs: noonMs + 1,
          conditions: { newFailure: false, returnedFailure: true, errorRatio: null },
        }),
      )
      await first.webhooks.enqueue([aDelivery()], 0)
      await first.close()
      const store = await location.open()
      t.teardown(() => store.close())
      t.same(
        (await store.webhooks.list()).map(({ id }) => id),
        ['w1', 'w2'],
      )
      t.same((await store.webhooks.list())[0], aWebhook())
      t.match(await store.webhooks.due(noonMs, 10), [
        { ...aDelivery(), attempts: 0, status: null, problem: null },
      ])
      await store.webhooks.remove('w1')
      t.same(await store.webhooks.due(noonMs, 10), [])
      t.equal((await store.webhooks.list()).length, 1)
    },
  )

  await t.test('changing a webhook preserves its creation time and deliveries', async t => {
    const { webhooks } = await openStore(t, make)
    await webhooks.add(aWebhook())
    await webhooks.add(aWebhook({ id: 'w2' }))
    await webhooks.enqueue([aDelivery()], 0)
    const conditions = { newFailure: false, returnedFailure: true, errorRatio: null }
    const changed = aWebhook({ name: 'Pager', url: 'https://pager.example/y', conditions })
    await webhooks.change({ ...changed, createdMs: noonMs + 1 })
    await webhooks.change(aWebhook({ id: 'no such' }))
    t.same(await webhooks.list(), [changed, aWebhook({ id: 'w2' })])
    t.equal((await webhooks.deliveries('w1', 10)).length, 1)
  })

  await t.test('enqueues one message per webhook, subject and period, and all tests and returns', async t => {
    const { webhooks } = await openStore(t, make)
    await webhooks.add(aWebhook())
    const enqueue = (overrides: Partial<NewDelivery>) => {
      const delivery = aDelivery(overrides)
      return webhooks.enqueue([delivery], delivery.createdMs - hourMs)
    }
    t.equal(await enqueue({ id: 'a' }), 1)
    t.equal(await enqueue({ id: 'b', createdMs: noonMs + hourMs - 1 }), 0)
    t.equal(await enqueue({ id: 'j', kind: 'returned', createdMs: noonMs + 1 }), 1, 'after the new failure')
    t.equal(await enqueue({ id: 'k', kind: 'returned', createdMs: noonMs + 2 }), 1, 'after another return')
    t.equal(await enqueue({ id: 'k', kind: 'returned', createdMs: noonMs + 3 }), 0, 'a repeated message')
    t.equal(await enqueue({ id: 'c', subject: 'f2' }), 1)
    t.equal(await enqueue({ id: 'd', webhookId: 'w2' }), 1)
    t.equal(await enqueue({ id: 'e', createdMs: noonMs + hourMs }), 1)
    t.equal(await enqueue({ id: 'f', kind: 'test', subject: 'test' }), 1)
    t.equal(await enqueue({ id: 'g', kind: 'test', subject: 'test' }), 1)
    t.equal(await enqueue({ id: 'l', kind: 'ratio', subject: 'service shop' }), 1)
    t.equal(await enqueue({ id: 'm', kind: 'ratio', subject: 'service shop' }), 0)
    t.equal(
      await webhooks.enqueue(
        [aDelivery({ id: 'h', subject: 'f3' }), aDelivery({ id: 'i', subject: 'f3' })],
        0,
      ),
      1,
    )
  })

  await t.test('lists the newest messages of a webhook, of all kinds or of one', async t => {
    const { webhooks } = await openStore(t, make)
    const kinds = ['test', 'test', 'new', 'returned'] as const
    const messages = kinds.map((kind, index) =>
      aDelivery({ id: `d${index}`, kind, subject: `f${index}`, createdMs: noonMs + index }),
    )
    await webhooks.enqueue([...messages, aDelivery({ id: 'other', webhookId: 'w2', kind: 'test' })], 0)
    const idsOf = async (...query: [limit: number, kind?: NoticeKind]) =>
      (await webhooks.deliveries('w1', ...query)).map(({ id }) => id)
    t.same(await idsOf(3), ['d3', 'd2', 'd1'])
    t.same(await idsOf(1, 'test'), ['d1'])
    t.same(await idsOf(9, 'test'), ['d1', 'd0'])
    t.same(await idsOf(9, 'ratio'), [])
  })

  await t.test('lists the most overdue messages of each webhook', async t => {
    const { webhooks } = await openStore(t, make)
    const dead = ['d1', 'd2', 'd3'].map((id, index) => aDelivery({ id, subject: id, nextMs: noonMs + index }))
    const others = ['d4', 'd5'].map(id => aDelivery({ id, subject: id, webhookId: 'w2', nextMs: noonMs + 9 }))
    await webhooks.enqueue([...others, ...dead.toReversed()], 0)
    const due = async (limit: number) => (await webhooks.due(noonMs + 9, limit)).map(({ id }) => id)
    t.same(await due(1), ['d1', 'd4'])
    t.same(await due(2), ['d1', 'd2', 'd4', 'd5'])
    t.same(
      (await webhooks.due(noonMs + 1, 9)).map(({ id }) => id),
      ['d1', 'd2'],
    )
  })

  await t.test('records attempts and the next due time', async t => {
    const { webhooks } = await openStore(t, make)
    await webhooks.enqueue([aDelivery(), aDelivery({ id: 'd2', subject: 'f2', createdMs: noonMs + 5 })], 0)
    t.equal(await webhooks.nextDueMs(), noonMs)
    t.same(
      (await webhooks.due(noonMs + 5, 1)).map(({ id }) => id),
      ['d1'],
    )
    await webhooks.recordAttempt('d1', {
      atMs: noonMs,
      status: 500,
      problem: 'Answered with 500',
      nextMs: noonMs + 60_000,
    })
    t.equal(await webhooks.nextDueMs(), noonMs + 5)
    await webhooks.recordAttempt('d2', { atMs: noonMs + 6, status: 200, problem: null, nextMs: null })
    t.equal(await webhooks.nextDueMs(), noonMs + 60_000)
    await webhooks.recordAttempt('d1', {
      atMs: noonMs + 60_000,
      status: null,
      problem: 'The connection failed',
      nextMs: null,
    })
    t.equal(await webhooks.nextDueMs(), null)
    t.match(await webhooks.deliveries('w1', 10), [
      { id: 'd2', attempts: 1, status: 200, problem: null, endedMs: noonMs + 6, nextMs: null },
      { id: 'd1', attempts: 2, status: null, problem: 'The connection failed', endedMs: noonMs + 60_000 },
    ])
    t.equal((await webhooks.deliveries('w1', 1)).length, 1)
    await webhooks.deleteEnded(noonMs + 60_000)
    t.same(
      (await webhooks.deliveries('w1', 10)).map(({ id }) => id),
      ['d1'],
    )
  })
}
