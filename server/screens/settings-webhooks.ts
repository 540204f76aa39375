import { randomUUID } from 'node:crypto'
import {
  type DeliveryRow,
  settingsForms,
  type WebhookConditions,
  type WebhookField,
  type WebhookForm,
  type WebhookRow,
} from '../../shared/content.ts'
import type { Context } from '../context.ts'
import type { Delivery, Webhook, WebhookStore } from '../store/webhooks.ts'
import { newSecret } from '../webhooks/sign.ts'
import type { Outcome } from './settings-outcome.ts'

const shownDeliveries = 10
const mostWebhooks = 20
const longestName = 60
const longestUrl = 2000

export const newWebhookForm: WebhookForm = {
  values: { name: '', url: '', new: 'on', returned: 'on', ratio: '', minutes: '5' },
  problems: {},
}

/** The webhooks with their newest messages. */
export async function webhookRows(store: WebhookStore): Promise<WebhookRow[]> {
  const webhooks = await store.list()
  return Promise.all(
    webhooks.map(async ({ id, name, url, conditions }) => ({
      id,
      name,
      origin: new URL(url).origin,
      conditions,
      form: { values: { name, url: '', ...valuesOf(conditions) }, problems: {} },
      deliveries: (await store.deliveries(id, shownDeliveries)).map(deliveryRow),
    })),
  )
}

function deliveryRow({ id, kind, createdMs, attempts, status, problem, nextMs }: Delivery): DeliveryRow {
  const state = nextMs !== null ? 'waiting' : problem === null ? 'delivered' : 'failed'
  return { id, kind, createdMs, attempts, state, status, problem, nextMs }
}

/** Sends a test message and waits until it was tried, or for as long as a visitor may wait for a page. */
export async function testWebhook(
  id: string,
  { store, webhooks }: Pick<Context, 'store' | 'webhooks'>,
  signal: AbortSignal,
): Promise<Outcome> {
  const webhook = (await store.webhooks.list()).find(each => each.id === id)
  if (webhook === undefined) return { kind: 'done', done: 'webhook-removed' }
  const waited = new Promise<void>(resolve =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  )
  await Promise.race([webhooks.test(webhook), waited])
  return { kind: 'done', done: 'webhook-tested', webhook: id }
}

/** Adds a webhook by its form, or changes the one that the form names; or says what is wrong with each field. */
export async function keepWebhook(
  form: URLSearchParams,
  store: WebhookStore,
  nowMs: number,
): Promise<Outcome> {
  const id = form.get('form') === settingsForms.changeWebhook ? form.get('id') : null
  const existing = await store.list()
  const changed = existing.find(webhook => webhook.id === id) ?? null
  if (id !== null && changed === null) return { kind: 'done', done: 'webhook-removed' }

  const values = valuesIn(form)
  const problems = problemsOf(values, changed, existing)
  if (Object.keys(problems).length > 0) {
    const form = { values, problems }
    if (changed === null) return { kind: 'wrong', content: { webhookForm: form } }
    const rows = await webhookRows(store)
    return { kind: 'wrong', content: { webhooks: rows.map(row => (row.id === id ? { ...row, form } : row)) } }
  }
  const { name } = values
  const conditions = conditionsOf(values)
  if (changed !== null) {
    await store.change({ ...changed, name, url: values.url || changed.url, conditions })
    return { kind: 'done', done: 'webhook-changed' }
  }
  const secret = newSecret()
  await store.add({ id: randomUUID(), name, url: values.url, secret, conditions, createdMs: nowMs })
  return {
    kind: 'shown',
    content: { made: { kind: 'webhook', name, secret } },
    title: 'Webhook added · Settings',
  }
}

type Values = WebhookForm['values']

function valuesIn(form: URLSearchParams): Values {
  const field = (name: WebhookField) => form.get(name)?.trim() ?? ''
  return {
    name: field('name'),
    url: field('url'),
    new: field('new'),
    returned: field('returned'),
    ratio: field('ratio'),
    minutes: field('minutes'),
  }
}

function conditionsOf(values: Values): WebhookConditions {
  return {
    newFailure: values.new === 'on',
    returnedFailure: values.returned === 'on',
    errorRatio:
      values.ratio === '' ? null : { above: Number(values.ratio) / 100, overMinutes: Number(values.minutes) },
  }
}

function valuesOf({
  newFailure,
  returnedFailure,
  errorRatio,
}: WebhookConditions): Omit<Values, 'name' | 'url'> {
  return {
    new: newFailure ? 'on' : '',
    returned: returnedFailure ? 'on' : '',
    ratio: errorRatio === null ? '' : String(Number((errorRatio.above * 100).toPrecision(12))),
    minutes: errorRatio === null ? newWebhookForm.values.minutes : String(errorRatio.overMinutes),
  }
}

function problemsOf(
  values: Values,
  changed: Webhook | null,
  existing: readonly Webhook[],
): WebhookForm['problems'] {
  const problems: WebhookForm['problems'] = {}
  if (values.name === '') problems.name = 'A name is needed: what the list calls it'
  else if (values.name.length > longestName) problems.name = `At most ${longestName} characters`
  else if (existing.some(({ id, name }) => name === values.name && id !== changed?.id)) {
    problems.name = 'There is a webhook of this name already'
  } else if (changed === null && existing.length >= mostWebhooks) {
    problems.name = `There are ${mostWebhooks} webhooks already: remove one`
  }
  // The kept address is not shown, so nothing typed means that it stays.
  if (!(isAddress(values.url) || (values.url === '' && changed !== null))) {
    problems.url = 'An address that begins with https:// or http:// is needed'
  }
  if (values.ratio !== '' && !isBetween(values.ratio, 0.1, 100)) {
    problems.ratio = 'A number from 0.1 to 100, or nothing'
  }
  if (values.ratio !== '' && !(isBetween(values.minutes, 1, 1440) && /^\d+$/.test(values.minutes))) {
    problems.minutes = 'A whole number from 1 to 1440'
  }
  if (values.new !== 'on' && values.returned !== 'on' && values.ratio === '') {
    problems.new = 'Choose at least one thing to be told of'
  }
  return problems
}

function isAddress(text: string): boolean {
  if (text.length > longestUrl || !URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}

function isBetween(text: string, least: number, most: number): boolean {
  const number = Number(text)
  return number >= least && number <= most
}
