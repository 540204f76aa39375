import type { WebhookField, WebhookForm } from '../../../shared/screens/settings.ts'
import type { WebhookConditions } from '../../../shared/webhook.ts'
import type { Webhook } from '../../store/webhook-store.ts'

const maxWebhooks = 20
const maxNameLength = 60
const maxUrlLength = 2000

export const newWebhookForm: WebhookForm = {
  values: { name: '', url: '', new: 'on', returned: 'on', ratio: '', minutes: '5' },
  problems: {},
}

type Values = WebhookForm['values']

/** Returns the values of a submitted form. */
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

/** Converts valid values to conditions. */
export function conditionsOf(values: Values): WebhookConditions {
  return {
    newFailure: values.new === 'on',
    returnedFailure: values.returned === 'on',
    errorRatio:
      values.ratio === '' ? null : { above: Number(values.ratio) / 100, overMinutes: Number(values.minutes) },
  }
}

/** Converts conditions to form values. */
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
 * Returns the problem with each invalid field.
 * @param changed the webhook that the form changes, or `null` for a new one
 */
export function problemsOf(
  values: Values,
  changed: Webhook | null,
  existing: readonly Webhook[],
): WebhookForm['problems'] {
  const problems: WebhookForm['problems'] = {}
  if (values.name === '') problems.name = 'Enter a name'
  else if (values.name.length > maxNameLength) problems.name = `Enter at most ${maxNameLength} characters`
  else {
    const conflict = conflictOf(values.name, changed?.id ?? null, existing)
    if (conflict !== null) problems.name = conflict
  }
  // The form does not show the stored URL, so an empty field means that the URL stays the same.
  const urlProblem = values.url === '' && changed !== null ? null : urlProblemOf(values.url)
  if (urlProblem !== null) problems.url = urlProblem
  // The error rate is at most 100%, so it could never exceed a limit of 100.
  if (values.ratio !== '' && !isBetween(values.ratio, 0.1, 99.9)) {
    problems.ratio = 'Enter a number from 0.1 to 99.9, or leave the field empty'
  }
  if (values.ratio !== '' && !(isBetween(values.minutes, 1, 1440) && /^\d+$/.test(values.minutes))) {
    problems.minutes = 'Enter a whole number from 1 to 1440'
  }
  if (values.new !== 'on' && values.returned !== 'on' && values.ratio === '') {
    problems.new = 'Choose at least one event to be notified of'
  }
  return problems
}

/**
 * Returns why a webhook with this name cannot be stored beside the existing ones, or `null` if it can.
 * @param changedId the id of the webhook to replace, or `null` for a new one
 */
export function conflictOf(
  name: string,
  changedId: string | null,
  existing: readonly Webhook[],
): string | null {
  if (existing.some(each => each.name === name && each.id !== changedId)) {
    return 'A webhook with this name already exists'
  }
  return changedId === null && existing.length >= maxWebhooks
    ? `There are already ${maxWebhooks} webhooks. Remove one first`
    : null
}

function urlProblemOf(text: string): string | null {
  if (text.length > maxUrlLength) return `Enter at most ${maxUrlLength} characters`
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) return 'Enter a URL starting with https:// or http://'
  return url.username === '' && url.password === '' ? null : 'Enter a URL without a user name or password'
}

function isBetween(text: string, min: number, max: number): boolean {
  const number = Number(text)
  return number >= min && number <= max
}
