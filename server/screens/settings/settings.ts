import { paths, type SettingsDone, settingsDone } from '../../../shared/paths.ts'
import { type SettingsContent, settingsForms } from '../../../shared/screens/settings.ts'
import type { Context } from '../../context.ts'
import { redactedNames } from '../../events/redact.ts'
import { defineScreen, type ScreenAnswer, type ScreenRequest } from '../screen.ts'
import { serverSettings } from './environment.ts'
import { readPreferencesForm, timeZones } from './form.ts'
import type { Outcome } from './form-outcome.ts'
import { changeLevel, levelForm } from './log-level.ts'
import { changeRedaction, redactionForm } from './redaction-form.ts'
import { changeRetention, retentionForm } from './retention-form.ts'
import { makeToken } from './token-form.ts'
import { newWebhookForm } from './webhook-form.ts'
import { keepWebhook, testWebhook, webhookRows } from './webhook-list.ts'

/** Carries out one of the screen's forms, whole or not at all: with anything wrong it comes back as it was sent. */
export async function actOnSettings(
  form: URLSearchParams,
  request: ScreenRequest,
  context: Context,
): Promise<ScreenAnswer<'settings'>> {
  const kind = form.get('form') ?? settingsForms.preferences
  if (kind === settingsForms.preferences) {
    const read = readPreferencesForm(form)
    if ('preferences' in read) {
      const location = paths.settings({ done: 'preferences' })
      return { kind: 'redirect', location, preferences: { ...request.preferences, ...read.preferences } }
    }
    return page({ kind: 'wrong', content: read }, request, context)
  }
  const outcome = await act(kind, form, request, context)
  if (outcome.kind !== 'done') return page(outcome, request, context)
  const { done, webhook } = outcome
  return {
    kind: 'redirect',
    location: paths.settings({ done, ...(webhook === undefined ? {} : { webhook }) }),
  }
}

/** The visitor's preferences, the settings of this server, tokens and webhooks. */
export const settings = defineScreen({
  id: 'settings',
  parse({ params }) {
    const done = readDone(params.get('done') ?? '')
    return { done, tested: done === 'webhook-tested' ? params.get('webhook') : null }
  },
  load: (_params, request, context) => contentFor(request, context),
  present: (content, params) => ({ content: { ...content, ...params } }),
  submit: actOnSettings,
})

async function act(
  kind: string,
  form: URLSearchParams,
  request: ScreenRequest,
  context: Context,
): Promise<Outcome> {
  const { store, settings } = context
  const id = form.get('id') ?? ''
  switch (kind) {
    case settingsForms.level:
      return changeLevel(form, settings)
    case settingsForms.retention:
      return changeRetention(form, request, context)
    case settingsForms.redaction:
      return changeRedaction(form, settings)
    case settingsForms.addWebhook:
    case settingsForms.changeWebhook:
      return keepWebhook(form, store.webhooks, request.nowMs)
    case settingsForms.testWebhook:
      return testWebhook(id, context, request.signal)
    case settingsForms.removeWebhook:
      await store.webhooks.remove(id)
      return { kind: 'done', done: 'webhook-removed' }
    case settingsForms.makeToken:
      return makeToken(form, store.tokens, request.nowMs)
    case settingsForms.revokeToken:
      await store.tokens.remove(id)
      return { kind: 'done', done: 'token-revoked' }
    default:
      return { kind: 'wrong', content: {} }
  }
}

/** A page that answers a form itself: with what is wrong, what is asked, or a secret, which stands nowhere else. */
async function page(outcome: Exclude<Outcome, { kind: 'done' }>, request: ScreenRequest, context: Context) {
  const content = { ...(await contentFor(request, context)), ...outcome.content }
  return outcome.kind === 'wrong'
    ? ({ kind: 'content', status: 422, title: 'Not saved · Settings', content } as const)
    : ({ kind: 'content', title: outcome.title, content } as const)
}

async function contentFor(
  { preferences }: ScreenRequest,
  { config, settings, store }: Context,
): Promise<SettingsContent> {
  const [webhooks, tokens, retention] = await Promise.all([
    webhookRows(store.webhooks),
    store.tokens.list(),
    retentionForm({ settings, store }),
  ])
  return {
    values: preferences,
    problems: {},
    done: null,
    made: null,
    timeZones: [...timeZones],
    level: levelForm(settings),
    retention,
    redaction: redactionForm(settings),
    webhooks,
    webhookForm: newWebhookForm,
    tested: null,
    tokens: tokens.map(({ id, name, createdMs }) => ({ id, name, createdMs })),
    tokenForm: { name: '', problem: null },
    isPasswordAsked: config.password !== null,
    server: serverSettings(config, settings),
    redacted: [...redactedNames],
  }
}

function readDone(text: string): SettingsDone | null {
  return isDone(text) ? text : null
}

function isDone(text: string): text is SettingsDone {
  return Object.hasOwn(settingsDone, text)
}
