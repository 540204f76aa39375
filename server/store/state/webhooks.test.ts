import t from 'tap'
import type { Delivery } from '../webhook-store.ts'
import { emptyState } from './state.ts'
import { webhooksOf } from './webhooks.ts'

t.test('finds the next attempt among very many messages', async t => {
  const state = emptyState()
  const webhooks = webhooksOf(async work => work(state))
  t.equal(await webhooks.nextDueMs(), null)
  const message: Delivery = {
    id: '',
    webhookId: 'w1',
    kind: 'new',
    subject: 'f1',
    body: '{}',
    createdMs: 0,
    attempts: 0,
    nextMs: 0,
    status: null,
    problem: null,
    endedMs: null,
  }
  const count = 200_000
  for (let index = 1; index <= count; index += 1)
    state.deliveries.set(`m${index}`, { ...message, id: `m${index}`, nextMs: count - index })
  t.equal(await webhooks.nextDueMs(), 0)
})
