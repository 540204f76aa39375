import { randomUUID } from 'node:crypto'
import type { DeliveryRow, WebhookField, WebhookForm, WebhookRow } from '../../shared/content.ts'
import type { Delivery, Webhook, WebhookStore } from '../store/webhooks.ts'
import { newSecret } from '../webhooks/sign.ts'

const shownDeliveries = 10
const mostWebhooks = 20
const longestName = 60
const longestUrl = 2000

export const emptyWebhookForm: WebhookForm = {
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
      deliveries: (await store.deliveries(id, shownDeliveries)).map(deliveryRow),
    })),
  )
}

function deliveryRow({ id, kind, createdMs, attempts, status, problem, nextMs }: Delivery): DeliveryRow {
  const state = nextMs !== null ? 'waiting' : problem === null ? 'delivered' : 'failed'
  return { id, kind, createdMs, attempts, state, status, problem, nextMs }
}

/** Reads the form of a new webhook: the webhook, or what is wrong with each field and what was typed. */
export function readWebhookForm(
  fields: URLSearchParams,
  existing: number,
  nowMs: number,
): { webhook: Webhook } | WebhookForm {
  const field = (name: WebhookField) => fields.get(name)?.trim() ?? ''
  const values: WebhookForm['values'] = {
    name: field('name'),
    url: field('url'),
    new: field('new'),
    returned: field('returned'),
    ratio: field('ratio'),
    minutes: field('minutes'),
  }
  const problems = problemsOf(values, existing)
  if (Object.keys(problems).length > 0) return { values, problems }
  const conditions = {
    newFailure: values.new === 'on',
    returnedFailure: values.returned === 'on',
    errorRatio:
      values.ratio === '' ? null : { above: Number(values.ratio) / 100, overMinutes: Number(values.minutes) },
  }
  const { name, url } = values
  return { webhook: { id: randomUUID(), name, url, secret: newSecret(), conditions, createdMs: nowMs } }
}

function problemsOf(values: WebhookForm['values'], existing: number): WebhookForm['problems'] {
  const problems: WebhookForm['problems'] = {}
  if (values.name === '') problems.name = 'A name is needed: what the list calls it'
  else if (values.name.length > longestName) problems.name = `At most ${longestName} characters`
  else if (existing >= mostWebhooks) problems.name = `There are ${mostWebhooks} webhooks already: remove one`
  if (!isAddress(values.url)) problems.url = 'An address that begins with https:// or http:// is needed'
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
