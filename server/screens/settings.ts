import { type SettingsContent, settingsForms } from '../../shared/content.ts'
import { paths, type SettingsDone, settingsDone } from '../../shared/paths.ts'
import type { Context } from '../context.ts'
import { redactedNames } from '../events/redact.ts'
import type { Screen, ScreenAction, ScreenAnswer, ScreenRequest } from './screen.ts'
import { readPreferencesForm, timeZones } from './settings-form.ts'
import { serverSettings } from './settings-server.ts'
import { makeToken } from './settings-tokens.ts'
import { emptyWebhookForm, readWebhookForm, webhookRows } from './settings-webhooks.ts'

/** What the visitor chose for this browser, how the service is set, and whom it tells of what. */
export const settings: Screen<'settings'> = async (request, context) => {
  const done = request.params.get('done') ?? ''
  return { kind: 'content', content: { ...(await contentFor(request, context)), done: readDone(done) } }
}

/** Carries out one of the screen's forms, whole or not at all: with anything wrong it comes back as it was sent. */
export const actOnSettings: ScreenAction<'settings'> = async (form, request, context) => {
  const { store, webhooks } = context
  const id = form.get('id') ?? ''
  switch (form.get('form') ?? settingsForms.preferences) {
    case settingsForms.preferences:
      return savePreferences(form, request, context)
    case settingsForms.addWebhook:
      return addWebhook(form, request, context)
    case settingsForms.testWebhook: {
      const webhook = (await store.webhooks.list()).find(each => each.id === id)
      if (webhook !== undefined) await webhooks.test(webhook)
      return to('webhook-tested')
    }
    case settingsForms.removeWebhook:
      await store.webhooks.remove(id)
      return to('webhook-removed')
    case settingsForms.makeToken:
      return addToken(form, request, context)
    case settingsForms.revokeToken:
      await store.tokens.remove(id)
      return to('token-revoked')
    default:
      return {
        kind: 'content',
        status: 422,
        title: 'Not saved · Settings',
        content: await contentFor(request, context),
      }
  }
}

type Answer = Promise<ScreenAnswer<'settings'>>

async function savePreferences(form: URLSearchParams, request: ScreenRequest, context: Context): Answer {
  const read = readPreferencesForm(form)
  if ('preferences' in read) {
    return {
      kind: 'redirect',
      location: paths.settings({ done: 'preferences' }),
      preferences: { ...request.preferences, ...read.preferences },
    }
  }
  return again(request, context, read)
}

async function addWebhook(form: URLSearchParams, request: ScreenRequest, context: Context): Answer {
  const { webhooks } = context.store
  const read = readWebhookForm(form, (await webhooks.list()).length, request.nowMs)
  if (!('webhook' in read)) return again(request, context, { webhookForm: read })
  const { name, secret } = read.webhook
  await webhooks.add(read.webhook)
  return shown(request, context, { kind: 'webhook', name, secret })
}

async function addToken(form: URLSearchParams, request: ScreenRequest, context: Context): Answer {
  const made = await makeToken(form, context.store.tokens, request.nowMs)
  if ('problem' in made) return again(request, context, { tokenForm: made })
  return shown(request, context, { kind: 'token', ...made })
}

/** The page that shows a secret is the answer to its form: nowhere else does the secret stand. */
async function shown(
  request: ScreenRequest,
  context: Context,
  made: NonNullable<SettingsContent['made']>,
): Answer {
  return { kind: 'content', content: { ...(await contentFor(request, context)), made } }
}

async function again(request: ScreenRequest, context: Context, differing: Partial<SettingsContent>): Answer {
  const content = { ...(await contentFor(request, context)), ...differing }
  return { kind: 'content', status: 422, title: 'Not saved · Settings', content }
}

function to(done: SettingsDone): ScreenAnswer<'settings'> {
  return { kind: 'redirect', location: paths.settings({ done }) }
}

async function contentFor(
  { preferences }: ScreenRequest,
  { config, store }: Context,
): Promise<SettingsContent> {
  const [webhooks, tokens] = await Promise.all([webhookRows(store.webhooks), store.tokens.list()])
  return {
    values: preferences,
    problems: {},
    done: null,
    made: null,
    timeZones: [...timeZones],
    webhooks,
    webhookForm: emptyWebhookForm,
    tokens: tokens.map(({ id, name, createdMs }) => ({ id, name, createdMs })),
    tokenForm: { name: '', problem: null },
    isPasswordAsked: config.password !== null,
    server: serverSettings(config),
    redacted: [...redactedNames],
  }
}

function readDone(text: string): SettingsDone | null {
  return isDone(text) ? text : null
}

function isDone(text: string): text is SettingsDone {
  return Object.hasOwn(settingsDone, text)
}
