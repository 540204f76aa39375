import { paths } from '../../../shared/paths.ts'
import { formPreferences } from '../../../shared/preferences.ts'
import {
  type ServiceSettings,
  type SettingsContent,
  settingsForms,
} from '../../../shared/screens/settings.ts'
import type { Role } from '../../../shared/user.ts'
import type { Context } from '../../context.ts'
import { redactedNames } from '../../events/redact.ts'
import { requiresSignIn } from '../../settings/config.ts'
import { defineScreen, type Redirect, type ScreenRequest, type ScreenResponse } from '../screen.ts'
import { undoChange, undoIdOf } from '../undo.ts'
import { environmentRows } from './environment-rows.ts'
import { environmentTable } from './environment-table.ts'
import type { Outcome } from './form-outcome.ts'
import { changeLevel, levelForm } from './log-level-form.ts'
import { formerValues, parsePreferencesForm, timeZones } from './preferences-form.ts'
import { changeRedaction, redactionForm } from './redaction-form.ts'
import { changeRetention, retentionForm } from './retention-form.ts'
import { isSettingsSection, type SaveCode, saveNoticeOf } from './save-notices.ts'
import { makeToken, newTokenForm, revokeToken, tokenRow } from './token-form.ts'
import { newWebhookForm } from './webhook-form.ts'
import { removeWebhook, saveWebhook, testWebhook, webhookRows } from './webhook-list.ts'
import { changeZone } from './zone-form.ts'

const testedCode = 'webhook-tested'
const notSaved = 'Not saved · Settings'
const auditLimit = 50

/** Handles the screen's forms. Saves all values of a form, or none if one is invalid. */
export async function actOnSettings(
  form: URLSearchParams,
  request: ScreenRequest,
  context: Context,
): Promise<ScreenResponse<'settings'>> {
  const kind = form.get('form') ?? settingsForms.preferences
  if (kind === settingsForms.preferences) {
    const current = formPreferences(request.preferences)
    const parsed = parsePreferencesForm(form, current)
    if ('problems' in parsed) {
      const content = { ...(await contentFor(request, context)), preferences: parsed }
      return { kind: 'content', status: 422, title: notSaved, content }
    }
    const isBrowserZone = parsed.preferences.timeZone === ''
    const preferences = { ...request.preferences, ...parsed.preferences, isBrowserZone }
    const former = formerValues(current, parsed.preferences)
    const undoId = await context.store.undos.add({ kind: 'restore preferences', former }, 'viewer')
    return { kind: 'redirect', location: savedLocation('preferences', undoId), preferences }
  }
  if (kind === settingsForms.zone) return changeZone(form, request)
  if (kind === settingsForms.undo) return undo(form, request, context)
  const outcome = await act(kind, form, request, context)
  const change = 'change' in outcome ? outcome.change : undefined
  if (change !== undefined) await context.audit.record(request.user, change.action, change.details)
  switch (outcome.kind) {
    case 'saved': {
      const undoId = outcome.undo && (await context.store.undos.add(outcome.undo, 'admin'))
      return { kind: 'redirect', location: savedLocation(outcome.code, undoId) }
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

/** The settings screen: the visitor's preferences, and for admins Sixpane's settings, webhooks and tokens. */
export const settings = defineScreen({
  id: 'settings',
  parse({ params }) {
    const code = params.get('done') ?? ''
    return {
      notice: saveNoticeOf(code),
      testedWebhookId: code === testedCode ? params.get('webhook') : null,
    }
  },
  async load({ notice }, request, context) {
    const [content, undoId] = await Promise.all([
      contentFor(request, context),
      notice && undoIdOf(request, context),
    ])
    return { content, undoId }
  },
  present: ({ content, undoId }, { notice, testedWebhookId }) => ({
    content: {
      ...content,
      service: content.service && { ...content.service, testedWebhookId },
      saved: notice && { ...notice, undoId },
    },
  }),
  submit: { roleOf, handle: actOnSettings },
})

/** Forms that viewers may submit. `undoChange` checks whether the visitor has the role that the undone change required. */
const viewerForms: ReadonlySet<string> = new Set([
  settingsForms.preferences,
  settingsForms.zone,
  settingsForms.undo,
])

function roleOf(form: URLSearchParams): Role {
  return viewerForms.has(form.get('form') ?? settingsForms.preferences) ? 'viewer' : 'admin'
}

function savedLocation(code: SaveCode, undoId?: string): string {
  const section = saveNoticeOf(code)?.section
  return paths.settings({
    done: code,
    ...(undoId !== undefined && { undo: undoId }),
    ...(section !== undefined && { section }),
  })
}

/** Undoes the change that the form identifies, and redirects to the section that the form names. */
async function undo(form: URLSearchParams, request: ScreenRequest, context: Context): Promise<Redirect> {
  const named = form.get('section') ?? ''
  const section = isSettingsSection(named) ? named : 'preferences'
  const undone = await undoChange(form, request, context)
  if (undone === null) return { kind: 'redirect', location: savedLocation(`${section}-expired`) }
  return { kind: 'redirect', location: savedLocation(`${section}-undone`), ...undone }
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
      return revokeToken(id, store.tokens)
    default:
      return { kind: 'invalid', content: {} }
  }
}

/** Responds to a form with a page instead of a redirect. */
async function pageOf(
  outcome: Extract<Outcome, { kind: 'invalid' | 'page' }>,
  request: ScreenRequest,
  context: Context,
) {
  const shown = await contentFor(request, context)
  const content = { ...shown, service: shown.service && { ...shown.service, ...outcome.content } }
  return outcome.kind === 'invalid'
    ? ({ kind: 'content', status: 422, title: notSaved, content } as const)
    : ({ kind: 'content', title: outcome.title, content } as const)
}

async function contentFor(
  { preferences, user, nowMs }: Pick<ScreenRequest, 'preferences' | 'user' | 'nowMs'>,
  context: Context,
): Promise<SettingsContent> {
  const { signIn } = context.config
  return {
    preferences: { values: formPreferences(preferences), problems: {} },
    timeZones: [...timeZones],
    account: signIn === 'none' ? null : { ...user, canSignOut: signIn === 'oidc' },
    service: user.role === 'admin' ? await serviceSettings(context, nowMs) : null,
    saved: null,
  }
}

async function serviceSettings(
  { config, settings, store, audit }: Context,
  nowMs: number,
): Promise<ServiceSettings> {
  const [webhooks, tokens, retention, entries] = await Promise.all([
    webhookRows(store.webhooks),
    store.tokens.list(),
    retentionForm({ settings, store }, nowMs),
    audit.list(auditLimit),
  ])
  return {
    level: levelForm(settings),
    retention,
    redaction: redactionForm(settings),
    redactedNames: [...redactedNames],
    webhooks,
    webhookForm: newWebhookForm,
    testedWebhookId: null,
    tokens: tokens.map(token => tokenRow(token, nowMs)),
    tokenForm: newTokenForm,
    requiresSignIn: requiresSignIn(config),
    environment: environmentTable(environmentRows(config, settings)),
    audit: entries,
    newSecret: null,
  }
}
