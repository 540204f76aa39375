import { paths } from '../../../shared/paths.ts'
import { formPreferences } from '../../../shared/preferences.ts'
import { type SettingsContent, settingsForms } from '../../../shared/screens/settings.ts'
import type { Context } from '../../context.ts'
import { redactedNames } from '../../events/redact.ts'
import { requiresSignIn } from '../../settings/config.ts'
import { defineScreen, type Redirect, type ScreenRequest, type ScreenResponse } from '../screen.ts'
import { environmentRows } from './environment-rows.ts'
import type { Outcome } from './form-outcome.ts'
import { changeLevel, levelForm } from './log-level-form.ts'
import { parsePreferencesForm, timeZones } from './preferences-form.ts'
import { changeRedaction, redactionForm } from './redaction-form.ts'
import { changeRetention, retentionForm } from './retention-form.ts'
import { isSettingsSection, type SaveCode, saveNoticeOf } from './save-notices.ts'
import { makeToken } from './token-form.ts'
import { newWebhookForm } from './webhook-form.ts'
import { removeWebhook, saveWebhook, testWebhook, webhookRows } from './webhook-list.ts'
import { changeZone } from './zone-form.ts'

const testedCode = 'webhook-tested'

/** Handles the screen's forms. Saves all values of a form, or none if one is invalid. */
export async function actOnSettings(
  form: URLSearchParams,
  request: ScreenRequest,
  context: Context,
): Promise<ScreenResponse<'settings'>> {
  const kind = form.get('form') ?? settingsForms.preferences
  if (kind === settingsForms.preferences) {
    const parsed = parsePreferencesForm(form)
    if ('problems' in parsed) {
      return pageOf({ kind: 'invalid', content: { preferences: parsed } }, request, context)
    }
    const isBrowserZone = parsed.preferences.timeZone === ''
    const preferences = { ...request.preferences, ...parsed.preferences, isBrowserZone }
    const undoId = context.undos.add(async () => ({ preferences: request.preferences }))
    return { kind: 'redirect', location: savedLocation('preferences', undoId), preferences }
  }
  if (kind === settingsForms.zone) return changeZone(form, request)
  if (kind === settingsForms.undo) return undo(form, context)
  const outcome = await act(kind, form, request, context)
  switch (outcome.kind) {
    case 'saved':
      return {
        kind: 'redirect',
        location: savedLocation(outcome.code, outcome.undo && context.undos.add(outcome.undo)),
      }
    case 'tested': {
      const { webhookId } = outcome
      const location = paths.settings({ done: testedCode, webhook: webhookId, section: 'webhooks' })
      return { kind: 'redirect', location }
    }
    default:
      return pageOf(outcome, request, context)
  }
}

/** The visitor's preferences, and Sixpane's settings, webhooks and ingest tokens. */
export const settings = defineScreen({
  id: 'settings',
  parse({ params }) {
    const code = params.get('done') ?? ''
    return {
      notice: saveNoticeOf(code),
      undoId: params.get('undo') ?? '',
      testedWebhookId: code === testedCode ? params.get('webhook') : null,
    }
  },
  load: (_params, request, context) => contentFor(request, context),
  present: (content, { notice, undoId, testedWebhookId }, _request, { undos }) => ({
    content: {
      ...content,
      testedWebhookId,
      saved: notice && { ...notice, undoId: undos.has(undoId) ? undoId : null },
    },
  }),
  submit: actOnSettings,
})

function savedLocation(code: SaveCode, undoId?: string): string {
  const section = saveNoticeOf(code)?.section
  return paths.settings({
    done: code,
    ...(undoId !== undefined && { undo: undoId }),
    ...(section !== undefined && { section }),
  })
}

/** Undoes the change with the id in the form, and returns to its section. */
async function undo(form: URLSearchParams, { undos }: Context): Promise<Redirect> {
  const named = form.get('section') ?? ''
  const section = isSettingsSection(named) ? named : 'preferences'
  const change = undos.take(form.get('undo') ?? '')
  if (change === undefined) return { kind: 'redirect', location: savedLocation(`${section}-expired`) }
  return { kind: 'redirect', location: savedLocation(`${section}-undone`), ...(await change()) }
}

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
      return saveWebhook(form, store.webhooks, request.nowMs)
    case settingsForms.testWebhook:
      return testWebhook(id, context, request.signal)
    case settingsForms.removeWebhook:
      return removeWebhook(id, store.webhooks)
    case settingsForms.makeToken:
      return makeToken(form, store.tokens, request.nowMs)
    case settingsForms.revokeToken:
      await store.tokens.remove(id)
      return { kind: 'saved', code: 'token-revoked' }
    default:
      return { kind: 'invalid', content: {} }
  }
}

/** Responds to a form with the page itself instead of a redirect. */
async function pageOf(
  outcome: Extract<Outcome, { kind: 'invalid' | 'page' }>,
  request: ScreenRequest,
  context: Context,
) {
  const content = { ...(await contentFor(request, context)), ...outcome.content }
  return outcome.kind === 'invalid'
    ? ({ kind: 'content', status: 422, title: 'Not saved · Settings', content } as const)
    : ({ kind: 'content', title: outcome.title, content } as const)
}

async function contentFor(
  { preferences }: Pick<ScreenRequest, 'preferences'>,
  { config, settings, store }: Context,
): Promise<SettingsContent> {
  const [webhooks, tokens, retention] = await Promise.all([
    webhookRows(store.webhooks),
    store.tokens.list(),
    retentionForm({ settings, store }),
  ])
  return {
    preferences: { values: formPreferences(preferences), problems: {} },
    timeZones: [...timeZones],
    level: levelForm(settings),
    retention,
    redaction: redactionForm(settings),
    redactedNames: [...redactedNames],
    webhooks,
    webhookForm: newWebhookForm,
    testedWebhookId: null,
    tokens: tokens.map(({ id, name, createdMs }) => ({ id, name, createdMs })),
    tokenForm: { name: '', problem: null },
    requiresSignIn: requiresSignIn(config),
    environment: environmentRows(config, settings),
    saved: null,
    newSecret: null,
  }
}
