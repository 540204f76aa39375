import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type DeliveryRow, settingsForms, type WebhookRow } from '../../../shared/screens/settings.ts'
import type { Context } from '../../context.ts'
import { createSigningKey } from '../../notifications/webhook/sign.ts'
import type { Delivery, WebhookStore } from '../../store/webhook-store.ts'
import type { Outcome } from './form-outcome.ts'
import { isOutdated, versionOf } from './form-version.ts'
import { conditionsOf, problemsOf, valuesIn, valuesOf } from './webhook-form.ts'

const deliveriesLimit = 10
const outdated =
  'Somebody has changed this webhook in the meantime. Check the current values above and save again'

/** Returns the webhooks with their newest messages, which always include the newest test message. */
export async function webhookRows(store: WebhookStore): Promise<WebhookRow[]> {
  const webhooks = await store.list()
  return Promise.all(
    webhooks.map(async webhook => {
      const { id, name, url, conditions } = webhook
      return {
        id,
        // The signing key is part of the hash, so the hash does not reveal the URL.
        version: versionOf(webhook),
        name,
        origin: new URL(url).origin,
        conditions,
        form: { values: { name, url: '', ...valuesOf(conditions) }, problems: {} },
        deliveries: (await newestDeliveries(id, store)).map(deliveryRow),
      }
    }),
  )
}

async function newestDeliveries(webhookId: string, store: WebhookStore): Promise<Delivery[]> {
  const newest = await store.deliveries(webhookId, deliveriesLimit)
  if (newest.some(({ kind }) => kind === 'test')) return newest
  return [...newest, ...(await store.deliveries(webhookId, 1, 'test'))]
}

function deliveryRow({ id, kind, createdMs, attempts, status, problem, nextMs }: Delivery): DeliveryRow {
  const state = nextMs !== null ? 'waiting' : problem === null ? 'delivered' : 'failed'
  return { id, kind, createdMs, attempts, state, status, problem, nextMs }
}

/** Sends a test message and waits for the result, but only until the page deadline. */
export async function testWebhook(
  id: string,
  { store, notifications }: Pick<Context, 'store' | 'notifications'>,
  signal: AbortSignal,
): Promise<Outcome> {
  const webhook = (await store.webhooks.list()).find(each => each.id === id)
  if (webhook === undefined) return { kind: 'saved', code: 'webhook-removed' }
  const timedOut = new Promise<void>(resolve =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  )
  await Promise.race([notifications.test(webhook), timedOut])
  return { kind: 'tested', webhookId: id, change: { action: 'Tested a webhook', details: webhook.name } }
}

/** Removes a webhook. Undoing this restores the webhook with its URL and signing key, but not its messages. */
export async function removeWebhook(id: string, store: WebhookStore): Promise<Outcome> {
  const removed = (await store.list()).find(webhook => webhook.id === id)
  if (removed === undefined) return { kind: 'saved', code: 'webhook-removed' }
  await store.remove(id)
  return {
    kind: 'saved',
    code: 'webhook-removed',
    undo: { kind: 'add webhook', webhook: removed },
    change: { action: 'Removed a webhook', details: removed.name },
  }
}

/** Adds a webhook, or changes the webhook identified in the form. */
export async function saveWebhook(
  form: URLSearchParams,
  store: WebhookStore,
  nowMs: number,
): Promise<Outcome> {
  const id = form.get('form') === settingsForms.changeWebhook ? form.get('id') : null
  const existing = await store.list()
  const changed = existing.find(webhook => webhook.id === id) ?? null
  if (id !== null && changed === null) return { kind: 'saved', code: 'webhook-removed' }

  const values = valuesIn(form)
  const { name } = values
  const conditions = conditionsOf(values)
  const after = changed && { ...changed, name, url: values.url || changed.url, conditions }
  const isUndoing = isOutdated(form, changed) && !isDeepStrictEqual(after, changed)
  const problems = isUndoing ? { name: outdated } : problemsOf(values, changed, existing)
  if (Object.keys(problems).length > 0) {
    const form = { values, problems }
    if (changed === null) return { kind: 'invalid', content: { webhookForm: form } }
    const rows = await webhookRows(store)
    return {
      kind: 'invalid',
      content: { webhooks: rows.map(row => (row.id === id ? { ...row, form } : row)) },
    }
  }
  if (changed !== null && after !== null) {
    await store.change(after)
    return {
      kind: 'saved',
      code: 'webhook-changed',
      undo: { kind: 'change webhook', webhook: changed, after },
      change: { action: 'Changed a webhook', details: name },
    }
  }
  const secret = createSigningKey()
  await store.add({ id: randomUUID(), name, url: values.url, secret, conditions, createdMs: nowMs })
  return {
    kind: 'page',
    content: { newSecret: { kind: 'webhook', name, secret } },
    title: 'Webhook added · Settings',
    change: { action: 'Added a webhook', details: name },
  }
}
