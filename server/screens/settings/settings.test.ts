import fc from 'fast-check'
import { pino } from 'pino'
import t from 'tap'
import {
  defaultPreferences,
  type FormPreferences,
  formPreferences,
  type Preferences,
  parsePreferences,
  serializePreferences,
} from '../../../shared/preferences.ts'
import type { WebhookField } from '../../../shared/screens/settings.ts'
import { anyCharacter } from '../../../shared/testing/any-character.ts'
import type { Context } from '../../context.ts'
import { readConfig } from '../../settings/config.ts'
import { openLiveSettings } from '../../settings/live-settings.ts'
import { allSettings, runtimeSettings } from '../../settings/table.ts'
import { onlyReplica } from '../../store/replicas.ts'
import type { StoredSetting } from '../../store/setting-store.ts'
import type { Store } from '../../store/store.ts'
import type { StoredToken, Token } from '../../store/token-store.ts'
import type { NoticeKind, Webhook } from '../../store/webhook-store.ts'
import { fakeContext, fakeRequest } from '../../testing/fake-context.ts'
import { environmentRows } from './environment-rows.ts'
import { actOnSettings, settings } from './settings.ts'
import { webhookRows } from './webhook-list.ts'

const chosen: Preferences = {
  theme: 'dark',
  density: 'compact',
  timeZone: 'Europe/Vienna',
  isBrowserZone: false,
  clock: '12h',
  range: '6h',
  motion: 'reduced',
  columns: 'message,service',
}

const chosenForm = formPreferences(chosen)

const save = (form: Record<string, string>) =>
  actOnSettings(
    new URLSearchParams(form),
    fakeRequest('', { preferences: { ...defaultPreferences, columns: chosen.columns } }),
    fakeContext(),
  )

/** Submits the Undo form on the page to which the response redirects. */
function undoOf(
  saved: Awaited<ReturnType<typeof actOnSettings>>,
  context: Context,
  preferences: Preferences = defaultPreferences,
) {
  const url = new URL(saved.kind === 'redirect' ? saved.location : '', 'http://console.example')
  const form = { form: 'undo', section: url.hash.slice(1), undo: url.searchParams.get('undo') ?? '' }
  return actOnSettings(new URLSearchParams(form), fakeRequest('', { preferences }), context)
}

t.test('the form shows the stored preferences', async t => {
  const request = fakeRequest('done=preferences', { preferences: chosen })
  t.match(await settings.get(request, fakeContext()), {
    kind: 'content',
    content: {
      preferences: { values: chosenForm, problems: {} },
      saved: { section: 'preferences', text: 'Preferences saved.' },
    },
  })
})

t.test('saves preferences and confirms the change', async t => {
  t.match(await save(chosenForm), {
    kind: 'redirect',
    location: /^\/settings\?done=preferences&undo=[\da-f-]{36}#preferences$/,
    preferences: chosen,
  })
})

t.test('a preference that the form does not contain is not changed', async t => {
  const preferences = { ...chosen, isBrowserZone: true }
  const form = new URLSearchParams({ theme: 'light' })
  t.match(await actOnSettings(form, fakeRequest('', { preferences }), fakeContext()), {
    kind: 'redirect',
    preferences: { ...chosen, theme: 'light', isBrowserZone: true, timeZone: '' },
  })
})

t.test("the browser's time zone applies if none is chosen", async t => {
  const saved = await save({ ...chosenForm, timeZone: '' })
  t.match(saved, { kind: 'redirect', preferences: { isBrowserZone: true } })
  const preferences = { ...chosen, isBrowserZone: true }
  t.match(await settings.get(fakeRequest('', { preferences }), fakeContext()), {
    content: { preferences: { values: { timeZone: '' } } },
  })
})

t.test('undoing a change restores the former preferences', async t => {
  const context = fakeContext()
  const form = new URLSearchParams(chosenForm)
  const saved = await actOnSettings(form, fakeRequest(), context)
  t.same(await undoOf(saved, context), {
    kind: 'redirect',
    location: '/settings?done=preferences-undone#preferences',
    preferences: defaultPreferences,
  })
})

t.test('undoing a change does not discard later changes to other preferences', async t => {
  const context = fakeContext()
  const saved = await actOnSettings(new URLSearchParams({ density: 'compact' }), fakeRequest(), context)
  t.match(await undoOf(saved, context, chosen), { preferences: { ...chosen, density: 'comfortable' } })
})

t.test('undoing the choice of a time zone restores the time zone of the browser', async t => {
  const context = fakeContext()
  const form = new URLSearchParams({ timeZone: chosen.timeZone })
  const saved = await actOnSettings(form, fakeRequest(), context)
  t.match(await undoOf(saved, context, chosen), { preferences: { theme: chosen.theme, isBrowserZone: true } })
})

t.test('saves a time zone with its canonical spelling', async t => {
  t.match(await save({ ...chosenForm, timeZone: ' europe/vienna ' }), { preferences: chosen })
  t.match(await save({ ...chosenForm, timeZone: 'utc' }), { preferences: { timeZone: 'UTC' } })
})

t.test('rejects invalid preferences, and each field keeps its text and shows its problem', async t => {
  t.match(await save({ ...chosenForm, timeZone: 'Mars/Base', theme: 'pink' }), {
    kind: 'content',
    status: 422,
    content: {
      preferences: {
        values: { ...chosenForm, timeZone: 'Mars/Base', theme: 'pink' },
        problems: { timeZone: /^Unknown time zone/, theme: 'Choose one of the options' },
      },
      saved: null,
    },
  })
  t.match(await save({ ...chosenForm, timeZone: '+01:00' }), { status: 422 })
  const empty = await save(Object.fromEntries(Object.keys(chosenForm).map(name => [name, ''])))
  t.equal(empty.kind === 'content' && Object.keys(empty.content.preferences.problems).length, 5)
})

t.test('property: submitting a form never throws and never saves invalid preferences', async () => {
  const value = (name: keyof FormPreferences) =>
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(chosenForm[name], formPreferences(defaultPreferences)[name]) },
      fc.string({ unit: anyCharacter }),
    )
  const form = fc.record(
    {
      theme: value('theme'),
      density: value('density'),
      timeZone: value('timeZone'),
      clock: value('clock'),
      range: value('range'),
      motion: value('motion'),
      other: fc.string(),
    },
    { requiredKeys: ['theme', 'density', 'timeZone', 'clock', 'range'] },
  )
  await fc.assert(
    fc.asyncProperty(form, async fields => {
      const response = await save(fields)
      if (response.kind === 'content') return response.status === 422
      if (response.preferences === undefined) return false
      const cookie = serializePreferences(response.preferences)
      return serializePreferences(parsePreferences(cookie)) === cookie
    }),
  )
})

/** An in-memory store of webhooks. */
function webhookStore(stored: Webhook[] = []) {
  const { webhooks } = fakeContext().store
  return {
    stored,
    store: {
      webhooks: {
        ...webhooks,
        list: async () => stored,
        add: async (webhook: Webhook) => {
          stored.push(webhook)
        },
        change: async (webhook: Webhook) => {
          stored.splice(
            stored.findIndex(each => each.id === webhook.id),
            1,
            webhook,
          )
        },
        remove: async (id: string) => {
          stored.splice(
            stored.findIndex(each => each.id === id),
            1,
          )
        },
      },
    },
  }
}

const chat = {
  form: 'add-webhook',
  name: 'Chat',
  url: 'https://chat.example/T0/hush',
  new: 'on',
  minutes: '5',
}

t.test('adds a webhook and shows its signing key once', async t => {
  const { stored, store } = webhookStore()
  const form = new URLSearchParams({ ...chat, ratio: '2.5', minutes: '10' })
  const response = await actOnSettings(form, fakeRequest(), fakeContext({ store }))
  t.match(stored, [
    {
      name: 'Chat',
      url: chat.url,
      secret: /^whsec_/,
      conditions: {
        newFailure: true,
        returnedFailure: false,
        errorRatio: { above: 0.025, overMinutes: 10 },
      },
    },
  ])
  const secret = stored[0]?.secret
  t.match(response, {
    kind: 'content',
    content: { service: { newSecret: { kind: 'webhook', name: 'Chat', secret } } },
  })
  const later = await settings.get(fakeRequest(), fakeContext({ store }))
  t.notMatch(JSON.stringify(later), /whsec_|hush/, 'neither the key nor the URL path')
  t.match(later, {
    content: { service: { webhooks: [{ name: 'Chat', origin: 'https://chat.example' }], newSecret: null } },
  })
})

t.test('rejects an invalid webhook, and the form keeps its text', async t => {
  const wrong: [fields: Record<string, string>, field: WebhookField, problem?: RegExp][] = [
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(61) }, 'name'],
    [{ url: 'chat.example' }, 'url', /starting with https/],
    [{ url: 'javascript:alert(1)' }, 'url', /starting with https/],
    [{ url: 'https://me:word@chat.example/' }, 'url', /without a user name/],
    [{ url: `https://chat.example/${'x'.repeat(2000)}` }, 'url', /at most 2000 characters/],
    [{ new: '' }, 'new'],
    [{ ratio: '0' }, 'ratio'],
    [{ ratio: '100' }, 'ratio'],
    [{ ratio: 'NaN' }, 'ratio'],
    [{ ratio: '5', minutes: '1e9' }, 'minutes'],
    [{ ratio: '5', minutes: '1.5' }, 'minutes'],
  ]
  for (const [fields, field, problem = /./] of wrong) {
    const { stored, store } = webhookStore()
    const form = { ...chat, ...fields }
    const response = await actOnSettings(new URLSearchParams(form), fakeRequest(), fakeContext({ store }))
    if (response.kind !== 'content') throw new Error(`${field} was saved`)
    t.equal(response.status, 422)
    const { problems = {}, values } = response.content.service?.webhookForm ?? {}
    t.same(Object.keys(problems), [field], JSON.stringify(fields))
    t.match(problems[field], problem)
    t.equal(values?.name, form.name)
    t.same(stored, [])
  }
})

t.test('tests and removes a webhook, and confirms both actions', async t => {
  const { stored, store } = webhookStore()
  await actOnSettings(new URLSearchParams(chat), fakeRequest(), fakeContext({ store }))
  const id = stored[0]?.id ?? ''
  const tested: string[] = []
  const context = fakeContext({
    store,
    notifications: { ...fakeContext().notifications, test: async webhook => void tested.push(webhook.id) },
  })
  const act = (form: string) => actOnSettings(new URLSearchParams({ form, id }), fakeRequest(), context)
  t.match(await act('test-webhook'), {
    kind: 'redirect',
    location: `/settings?done=webhook-tested&webhook=${id}#webhooks`,
  })
  t.same(tested, [id])
  const [added] = stored
  const removed = await act('remove-webhook')
  t.match(removed, { location: /^\/settings\?done=webhook-removed&undo=/ })
  t.same(stored, [])
  t.match(await undoOf(removed, context), { location: '/settings?done=webhooks-undone#webhooks' })
  t.same(stored, [added], 'with its signing key')
  t.match(await undoOf(removed, context), { location: '/settings?done=webhooks-expired#webhooks' })
  t.match(await act('remove-webhook'), { kind: 'redirect' })
  t.match(await act('test-webhook'), { kind: 'redirect' }, 'no error for a removed webhook')
  t.match(await act('no-such-form'), { kind: 'content', status: 422 })
})

t.test('the result of a test is shown even if many newer messages follow', async t => {
  const context = fakeContext()
  const { webhooks } = context.store
  await actOnSettings(new URLSearchParams(chat), fakeRequest(), context)
  const webhookId = (await webhooks.list())[0]?.id ?? ''
  const message = (id: string, kind: NoticeKind, createdMs: number) => {
    return { id, webhookId, kind, subject: id, body: '{}', createdMs, nextMs: createdMs }
  }
  const alerts = Array.from({ length: 30 }, (_, index) => message(`alert${index}`, 'new', 2 + index))
  await webhooks.enqueue([message('old', 'test', 0), message('test', 'test', 1), ...alerts], 0)
  const [row] = await webhookRows(webhooks)
  const ids = row?.deliveries.map(({ id }) => id)
  t.same(ids, [...Array.from({ length: 10 }, (_, index) => `alert${29 - index}`), 'test'])
})

t.test('a changed webhook keeps its signing key, and also its URL if the field is empty', async t => {
  const { stored, store } = webhookStore()
  const context = fakeContext({ store })
  const act = (form: Record<string, string>) =>
    actOnSettings(new URLSearchParams(form), fakeRequest(), context)
  await act(chat)
  await act({ ...chat, name: 'Other' })
  const [before] = stored
  const change = {
    ...chat,
    form: 'change-webhook',
    id: before?.id ?? '',
    name: 'On call',
    url: '',
    ratio: '7',
  }
  t.match(await act(change), { location: /^\/settings\?done=webhook-changed&undo=.*#webhooks$/ })
  t.same(stored[0], {
    ...before,
    name: 'On call',
    conditions: { newFailure: true, returnedFailure: false, errorRatio: { above: 0.07, overMinutes: 5 } },
  })
  t.match(await settings.get(fakeRequest(), context), {
    content: {
      service: {
        webhooks: [
          { form: { values: { name: 'On call', url: '', new: 'on', returned: '', ratio: '7' } } },
          {},
        ],
      },
    },
  })
  await act({ ...change, url: 'https://pager.example/x' })
  t.match(stored, [
    { url: 'https://pager.example/x', secret: before?.secret },
    { name: 'Other', url: chat.url },
  ])

  const wrong = await act({ ...change, name: 'Other', ratio: 'x' })
  t.match(wrong, { status: 422, content: { service: { webhookForm: { problems: {} } } } })
  if (wrong.kind !== 'content') throw new Error('The webhook was saved')
  t.match(wrong.content.service?.webhooks[0]?.form, {
    values: { name: 'Other', ratio: 'x' },
    problems: { name: 'A webhook with this name already exists', ratio: String },
  })
  t.same(wrong.content.service?.webhooks[1]?.form.problems, {})
  t.match(await act({ ...change, id: 'no such' }), { kind: 'redirect' }, 'no error for a removed webhook')
  t.equal(stored.length, 2)
})

t.test('undoing a change to a webhook does not discard a later change', async t => {
  const { stored, store } = webhookStore()
  const context = fakeContext({ store })
  const act = (form: Record<string, string>) =>
    actOnSettings(new URLSearchParams(form), fakeRequest(), context)
  await act(chat)
  const [added] = stored
  const change = { ...chat, form: 'change-webhook', id: added?.id ?? '' }
  const first = await act({ ...change, name: 'First' })
  const second = await act({ ...change, name: 'Second' })
  const after = stored[0]
  t.match(await undoOf(first, context), { location: '/settings?done=webhooks-expired#webhooks' })
  t.same(stored, [after])
  t.match(await undoOf(second, context), { location: '/settings?done=webhooks-undone#webhooks' })
  t.match(stored, [{ ...added, name: 'First' }])
})

t.test('a form that was rendered before a change to the webhook does not undo that change', async t => {
  const { stored, store } = webhookStore()
  const context = fakeContext({ store })
  const act = (form: Record<string, string>) =>
    actOnSettings(new URLSearchParams(form), fakeRequest(), context)
  await act(chat)
  const version = (await webhookRows(store.webhooks))[0]?.version ?? ''
  const change = { ...chat, form: 'change-webhook', id: stored[0]?.id ?? '', url: '', version }
  t.match(await act({ ...change, name: 'On call' }), { kind: 'redirect' })
  const rejected = await act({ ...change, ratio: '5' })
  t.match(rejected, {
    status: 422,
    content: {
      service: {
        webhooks: [
          {
            name: 'On call',
            form: {
              values: { name: 'Chat', ratio: '5' },
              problems: { name: /^Somebody has changed this webhook in the meantime/ },
            },
          },
        ],
      },
    },
  })
  t.match(stored, [{ name: 'On call', conditions: { errorRatio: null } }])
  if (rejected.kind !== 'content') throw new Error('The webhook was saved')
  const current = rejected.content.service?.webhooks[0]?.version ?? ''
  t.match(await act({ ...change, ratio: '5', version: current }), { kind: 'redirect' })
  t.match(stored, [{ name: 'Chat', conditions: { errorRatio: { above: 0.05 } } }])
  t.match(await act({ ...change, ratio: '5' }), { kind: 'redirect' }, 'a repeated form changes nothing')
})

t.test('the page waits for the test of an unresponsive webhook only until the page deadline', async t => {
  const { stored, store } = webhookStore()
  await actOnSettings(new URLSearchParams(chat), fakeRequest(), fakeContext({ store }))
  const visit = new AbortController()
  const context = fakeContext({
    store,
    notifications: {
      ...fakeContext().notifications,
      test: () => {
        visit.abort()
        return new Promise(() => {})
      },
    },
  })
  const form = new URLSearchParams({ form: 'test-webhook', id: stored[0]?.id ?? '' })
  t.match(await actOnSettings(form, fakeRequest('', { signal: visit.signal }), context), { kind: 'redirect' })
})

t.test('shows a token only once, after its creation', async t => {
  const stored: StoredToken[] = []
  const tokens = {
    ...fakeContext().store.tokens,
    list: async () => stored,
    add: async (token: Token, hash: string) => void stored.push({ ...token, hash, usedMs: null }),
    remove: async (id: string) => {
      stored.splice(
        stored.findIndex(each => each.id === id),
        1,
      )
    },
  }
  const context = fakeContext({ store: { tokens } })
  const act = (form: Record<string, string>) =>
    actOnSettings(new URLSearchParams(form), fakeRequest(), context)
  const response = await act({ form: 'make-token', name: ' shop ', 'scope-ingest': 'on' })
  if (response.kind !== 'content' || response.content.service?.newSecret === null)
    throw new Error('No token was created')
  t.match(response.content.service?.newSecret, { kind: 'token', name: 'shop', secret: /^sxp_.{32}$/ })
  const later = JSON.stringify(await settings.get(fakeRequest(), context))
  t.match(later, '"name":"shop"')
  t.notMatch(later, response.content.service?.newSecret.secret)
  t.notMatch(later, stored[0]?.hash)
  for (const name of ['', 'x'.repeat(61)]) {
    t.match(await act({ form: 'make-token', name, 'scope-ingest': 'on' }), {
      status: 422,
      content: { service: { tokenForm: { name, problems: { name: String } }, newSecret: null } },
    })
  }
  t.equal(stored.length, 1)
  t.match(await act({ form: 'revoke-token', id: stored[0]?.id ?? '' }), {
    location: '/settings?done=token-revoked#tokens',
  })
  t.same(stored, [])
})

t.test('a token for some services cannot download backups, which contain all services', async t => {
  const act = (form: Record<string, string>) =>
    actOnSettings(
      new URLSearchParams({ form: 'make-token', name: 'backup', 'scope-backup': 'on', ...form }),
      fakeRequest(),
      fakeContext(),
    )
  t.match(await act({ services: 'shop', 'scope-ingest': 'on' }), {
    status: 422,
    content: {
      service: {
        tokenForm: {
          services: 'shop',
          scopes: ['ingest', 'backup'],
          problems: { services: /^A backup contains the events of all services/ },
        },
      },
    },
  })
  t.match(await act({ services: ' ' }), { content: { service: { newSecret: { name: 'backup' } } } })
})

/** A context with in-memory settings. */
async function withSettings(env: Record<string, string> = {}, store: Partial<Store> = {}) {
  const config = readConfig(env)
  const stored = new Map<string, StoredSetting>()
  const settings = await openLiveSettings({
    config,
    logger: pino({ enabled: false }),
    store: {
      replicas: onlyReplica,
      settings: {
        list: async () => [...stored.values()],
        save: async (changes, changedMs) => {
          for (const { name, value } of changes) {
            if (value === null) stored.delete(name)
            else stored.set(name, { name, value, changedMs })
          }
        },
      },
    },
  })
  const context = fakeContext({ config, settings, store })
  const act = (form: Record<string, string>) =>
    actOnSettings(new URLSearchParams(form), fakeRequest(), context)
  /** Returns the settings sections that an administrator sees. */
  const shown = async () => {
    const response = await actOnSettings(new URLSearchParams({ form: 'none' }), fakeRequest(), context)
    const service = response.kind === 'content' ? response.content.service : null
    if (service === null) throw new Error('The settings are not shown')
    return service
  }
  return { settings, context, act, shown }
}

t.test('distinguishes the default from a value set in the environment', async t => {
  const { context, act } = await withSettings({ LOG_LEVEL: 'warn' })
  await act({ form: 'level', level: 'debug' })
  await act({ form: 'redaction', paths: 'user.email' })
  const answer = await settings.get(fakeRequest(), context)
  if (answer.kind !== 'content') throw new Error('The settings screen returned a redirect')
  const { service } = answer.content
  t.match(service, { level: { isDefault: false }, redaction: { isDefault: true } })
  const { html = '' } = service?.environment ?? {}
  t.match(html, /Environment: <code>warn<.*Default: <code>none</s)
})

t.test("changes the log level, and resets it to the environment's value", async t => {
  const { settings: stored, context, act } = await withSettings({ LOG_LEVEL: 'warn' })
  t.match(await act({ form: 'level', level: 'debug' }), {
    kind: 'redirect',
    location: /^\/settings\?done=log-level-changed&undo=.*#log-level$/,
  })
  t.equal(stored.current().logLevel, 'debug')
  t.match(await settings.get(fakeRequest(), context), {
    content: {
      service: { level: { value: 'debug', environment: 'warn', isChanged: true } },
    },
  })
  const response = await settings.get(fakeRequest('done=log-level-changed'), context)
  if (response.kind !== 'content') throw new Error('The settings screen returned a redirect')
  t.match(
    response.content.service?.environment.html,
    /LOG_LEVEL.*debug.*<strong>Changed here\.<\/strong> Environment: <code>warn<\/code>/s,
  )
  t.same(response.content.saved, {
    section: 'log-level',
    text: 'Log level saved.',
    undoId: null,
  })
  for (const level of ['', 'loud', 'INFO']) {
    t.match(await act({ form: 'level', level }), {
      status: 422,
      content: { service: { level: { problem: String } } },
    })
  }
  t.match(await act({ form: 'level', level: 'error', to: 'environment' }), { kind: 'redirect' })
  t.equal(stored.current().logLevel, 'warn')
  t.same(stored.changed(), {})
})

t.test('asks for confirmation before saving a retention limit that deletes events', async t => {
  let past = 1200
  const { settings: stored, act } = await withSettings({}, { countExpired: async () => past })
  const days = () => stored.current().retentionDays
  const form = { form: 'retention', days: '7', gigabytes: '10' }
  t.match(await act(form), {
    kind: 'content',
    title: 'Confirm · Settings',
    content: {
      service: {
        retention: { days: { value: '7' }, confirm: { dropped: 1200, days: '7', gigabytes: '10' } },
      },
    },
  })
  t.equal(days(), 30, 'not saved yet')
  t.match(await act({ ...form, confirmed: 'yes' }), {
    location: '/settings?done=retention-changed#retention',
  })
  t.equal(days(), 7)
  t.match(
    await act({ ...form, days: '60' }),
    { kind: 'redirect' },
    'a longer retention period needs no confirmation',
  )
  t.match(await act({ form: 'retention', to: 'environment' }), {
    content: { service: { retention: { confirm: { dropped: 1200, days: '30', gigabytes: '10' } } } },
  })
  t.equal(days(), 60)
  past = 0
  t.match(await act({ form: 'retention', to: 'environment' }), { kind: 'redirect' })
  t.equal(days(), 30)
})

t.test('rejects an invalid retention limit, and the form keeps the typed text', async t => {
  const { settings: stored, act } = await withSettings()
  for (const typed of ['', '0', '-1', '3O', 'Infinity', '1e9']) {
    t.match(await act({ form: 'retention', days: typed, gigabytes: '5', confirmed: 'yes' }), {
      status: 422,
      content: {
        service: {
          retention: { days: { value: typed, problem: String }, gigabytes: { value: '5', problem: null } },
        },
      },
    })
  }
  t.same(stored.changed(), {})
})

t.test('saves redacted paths, one per line', async t => {
  const { settings: stored, context, act } = await withSettings({ SIXPANE_REDACT: 'a.b' })
  t.match(await act({ form: 'redaction', paths: ' user.email\r\nbody.card, user.email\n\n' }), {
    location: /^\/settings\?done=redaction-changed&undo=.*#redaction$/,
  })
  t.same(stored.current().redactPaths, ['user.email', 'body.card'])
  t.match(await settings.get(fakeRequest(), context), {
    content: {
      service: { redaction: { value: 'user.email\nbody.card', environment: 'a.b', isChanged: true } },
    },
  })
  for (const paths of [
    'user[0].email',
    'ok\n*.email',
    'a..b',
    Array.from({ length: 101 }, (_, n) => `a${n}`).join('\n'),
  ]) {
    t.match(await act({ form: 'redaction', paths }), {
      status: 422,
      content: { service: { redaction: { value: paths, problem: String } } },
    })
  }
  await act({ form: 'redaction', paths: '' })
  t.same(stored.current().redactPaths, [], 'an empty list overrides the environment')
})

t.test('undoing a change to a setting does not discard a later change', async t => {
  const { settings: stored, context, act } = await withSettings()
  const first = await act({ form: 'redaction', paths: 'user.email' })
  const second = await act({ form: 'redaction', paths: 'user.email\nbody.card' })
  t.match(await undoOf(first, context), { location: '/settings?done=redaction-expired#redaction' })
  t.same(stored.current().redactPaths, ['user.email', 'body.card'])
  t.match(await undoOf(second, context), { location: '/settings?done=redaction-undone#redaction' })
  t.same(stored.current().redactPaths, ['user.email'])
})

t.test('a reset to the value in the environment can be undone', async t => {
  const { settings: stored, context, act } = await withSettings({ SIXPANE_REDACT: 'a.b' })
  await act({ form: 'redaction', paths: 'user.email' })
  const reset = await act({ form: 'redaction', to: 'environment' })
  t.match(await undoOf(reset, context), { location: '/settings?done=redaction-undone#redaction' })
  t.same(stored.current().redactPaths, ['user.email'])
})

t.test('previews redaction on a log line without saving anything', async t => {
  const { settings: stored, act } = await withSettings()
  const sample = '{"user":{"email":"a@b.test","plan":"free"},"password":"x"}'
  const response = await act({ form: 'redaction', to: 'try', paths: 'user.email', sample })
  if (response.kind !== 'content') throw new Error('The paths were saved')
  t.same(JSON.parse(response.content.service?.redaction.preview ?? ''), {
    user: { email: '[redacted]', plan: 'free' },
    password: '[redacted]',
  })
  t.match(response.content.service?.redaction, { value: 'user.email', sample })
  for (const wrong of ['', 'hello', '[1]', '"x"', '{']) {
    t.match(await act({ form: 'redaction', to: 'try', paths: 'user.email', sample: wrong }), {
      status: 422,
      content: { service: { redaction: { sample: wrong, sampleProblem: String, preview: null } } },
    })
  }
  t.same(stored.changed(), {})
})

t.test('a form that was rendered before a change to the redaction does not undo that change', async t => {
  const { settings: stored, act, shown } = await withSettings({ SIXPANE_REDACT: 'a.b' })
  await act({ form: 'redaction', paths: 'user.email' })
  const { version } = (await shown()).redaction
  await act({ form: 'redaction', paths: 'user.email\nbody.card', version })
  const form = { form: 'redaction', paths: 'user.email\nbody.iban', version }
  for (const to of ['', 'try', 'environment']) {
    t.match(await act({ ...form, to, sample: '{}' }), {
      status: 422,
      content: {
        service: {
          redaction: {
            value: form.paths,
            sample: '{}',
            problem: /^Somebody has changed the redaction in the meantime.*“user\.email, body\.card”/,
          },
        },
      },
    })
  }
  t.same(stored.current().redactPaths, ['user.email', 'body.card'])
  t.match(await act({ ...form, paths: 'user.email\nbody.card' }), { kind: 'redirect' }, 'changes nothing')
  t.match(await act({ ...form, version: (await shown()).redaction.version }), { kind: 'redirect' })
  t.same(stored.current().redactPaths, ['user.email', 'body.iban'])
  await act({ form: 'redaction', paths: '' })
  t.match(await act(form), { content: { service: { redaction: { problem: /value is empty/ } } } })
})

t.test('a form that was rendered before a change to the log level or retention does not undo it', async t => {
  const { settings: stored, act, shown } = await withSettings({}, { countExpired: async () => 9 })
  const before = await shown()
  const level = { form: 'level', version: before.level.version }
  const retention = { form: 'retention', version: before.retention.version }
  t.match(await act({ ...level, level: 'debug' }), { kind: 'redirect' })
  t.match(await act({ ...retention, days: '30', gigabytes: '50' }), { kind: 'redirect' })
  t.match(await act({ ...level, level: 'warn' }), {
    status: 422,
    content: { service: { level: { value: 'warn', problem: /changed the log level.*“debug”/ } } },
  })
  t.match(await act({ ...retention, days: '30', gigabytes: '10', confirmed: 'yes' }), {
    status: 422,
    content: {
      service: {
        retention: {
          days: { value: '30', problem: null },
          gigabytes: { value: '10', problem: /changed the retention.*“50”/ },
          confirm: null,
        },
      },
    },
  })
  t.match(stored.current(), { logLevel: 'debug', retentionDays: 30, retentionGigabytes: 50 })
})

t.test('lists every setting in the order of the table', async t => {
  const config = readConfig({ SIXPANE_DATA: '/srv/sixpane-data' })
  const context = fakeContext({ config })
  const environment = environmentRows(config, context.settings)
  t.same(
    environment.map(({ variable, meaning }) => ({ variable, meaning })),
    Object.values(allSettings).map(({ variable, meaning }) => ({ variable, meaning })),
  )
  t.same(
    environment.flatMap(({ variable, section }) => (section === null ? [] : [[variable, section]])),
    Object.values(runtimeSettings).map(({ variable, section }) => [variable, section]),
  )
  t.equal(environment.find(({ variable }) => variable === 'SIXPANE_DATA')?.value, 'sixpane-data')
  const table = await environmentOf(context)
  for (const { variable } of environment) t.match(table, `>${variable}</th>`)
  t.match(table, '<a href="#retention" aria-label="Change SIXPANE_RETENTION_DAYS">Change</a>')
  t.notMatch(table, 'srv')
})

/** Returns the HTML of the settings table. */
async function environmentOf(context: Context): Promise<string> {
  const response = await settings.get(fakeRequest(), context)
  if (response.kind !== 'content') throw new Error('The settings screen returned a redirect')
  t.ok(response.content.service?.redactedNames.includes('password'))
  return response.content.service?.environment.html ?? ''
}

t.test('property: the page never shows the value of a secret setting', async () => {
  const { storeAddress, ...others } = allSettings
  const secrets = Object.values(others).filter(({ isSecret }) => isSecret)
  const text = fc.string({ minLength: 15, unit: 'binary-ascii' }).map(words => `\u2603${words}`)
  // The other settings that sign-in requires.
  const oidc = {
    SIXPANE_OIDC_ISSUER: 'https://sso.example',
    SIXPANE_OIDC_CLIENT_ID: 'sixpane',
    SIXPANE_ADMINS: '*',
  }
  const secret = { SIXPANE_OIDC_CLIENT_SECRET: 'a secret of the client' }
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...secrets), text, async ({ variable }, value) => {
      const context = fakeContext({ config: readConfig({ ...oidc, ...secret, [variable]: value }) })
      const rows = environmentRows(context.config, context.settings)
      const response = JSON.stringify(await settings.get(fakeRequest(), context))
      const isShown = [response, await environmentOf(context), JSON.stringify(rows)].join().includes('\u2603')
      return rows.find(each => each.variable === variable)?.value === 'set' && !isShown
    }),
  )
})

t.test('property: the page shows only the host and the database of the store address', async () => {
  const text = fc.string({ minLength: 1, unit: 'binary' }).map(words => `\u2603${words}`)
  await fc.assert(
    fc.asyncProperty(text, text, async (user, password) => {
      const credentials = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`
      const config = readConfig({ SIXPANE_STORE: `clickhouse://${credentials}@db.example:9440/logs` })
      const context = fakeContext({ config })
      const rows = environmentRows(config, context.settings)
      const response = JSON.stringify(await settings.get(fakeRequest(), context))
      const shown = [response, await environmentOf(context), JSON.stringify(rows)].join()
      const row = rows.find(({ variable }) => variable === 'SIXPANE_STORE')
      return row?.value === 'ClickHouse at db.example:9440, database logs' && !/\u2603|%E2/.test(shown)
    }),
  )
})
