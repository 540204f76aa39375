import type { WebhookField, WebhookForm } from '../../../shared/screens/settings.ts'
import type { WebhookConditions } from '../../../shared/webhook.ts'
import type { Webhook } from '../../store/webhook-store.ts'

const mostWebhooks = 20
const longestName = 60
const longestUrl = 2000

export const newWebhookForm: WebhookForm = {
  values: { name: '', url: '', new: 'on', returned: 'on', ratio: '', minutes: '5' },
  problems: {},
}

type Values = WebhookForm['values']

/** What a form of a webhook holds. */
export function valuesIn(form: URLSearchParams): Values {
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

/** What the webhook tells of, where nothing is wrong with the values. */
export function conditionsOf(values: Values): WebhookConditions {
  return {
    newFailure: values.new === 'on',
    returnedFailure: values.returned === 'on',
    errorRatio:
      values.ratio === '' ? null : { above: Number(values.ratio) / 100, overMinutes: Number(values.minutes) },
  }
}

/** The other way round: what the form shows of a webhook. */
export function valuesOf({
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

/**
 * What is wrong with each field.
 * @param changed the webhook that the form is of; `null` for a new one
 */
export function problemsOf(
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
