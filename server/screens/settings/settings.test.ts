import fc from 'fast-check'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import {
  defaultPreferences,
  type Preferences,
  parsePreferences,
  serializePreferences,
} from '../../../shared/preferences.ts'
import { readConfig, variables } from '../../config.ts'
import { openSettings } from '../../settings/service-settings.ts'
import type { StoredSetting } from '../../store/setting-store.ts'
import type { Store } from '../../store/store.ts'
import type { Webhook } from '../../store/webhook-store.ts'
import { fakeContext, fakeRequest } from '../../testing/fake-context.ts'
import { actOnSettings, settings } from './settings.ts'

const chosen: Preferences = {
  theme: 'dark',
  density: 'compact',
  timeZone: 'Europe/Vienna',
  clock: '12h',
  range: '6h',
  motion: 'reduced',
  columns: 'message,service',
}

const { columns: _, ...inForm } = chosen

const save = (form: Record<string, string>) =>
  actOnSettings(
    new URLSearchParams(form),
    fakeRequest('', { preferences: { ...defaultPreferences, columns: chosen.columns } }),
    fakeContext(),
  )

t.test('the form shows what is kept', async t => {
  const request = fakeRequest('done=preferences', { preferences: chosen })
  t.match(await settings(request, fakeContext()), {
    kind: 'content',
    content: { values: chosen, problems: {}, done: 'preferences' },
  })
})

t.test('what was chosen is kept, and the page says so', async t => {
  t.same(await save(chosen), {
    kind: 'redirect',
    location: '/settings?done=preferences#preferences',
    preferences: chosen,
  })
})

t.test('a time zone is spelled as it is listed', async t => {
  t.match(await save({ ...chosen, timeZone: ' europe/vienna ' }), { preferences: chosen })
  t.match(await save({ ...chosen, timeZone: 'utc' }), { preferences: { timeZone: 'UTC' } })
})

t.test('what is wrong is said beside its field, and what was typed stays', async t => {
  t.match(await save({ ...chosen, timeZone: 'Mars/Base', theme: 'pink' }), {
    kind: 'content',
    status: 422,
    content: {
      values: { ...inForm, timeZone: 'Mars/Base', theme: 'pink' },
      problems: { timeZone: /not the name of a time zone/, theme: 'Choose one of these' },
      done: null,
    },
  })
  t.match(await save({ ...chosen, timeZone: '+01:00' }), { status: 422 })
  const empty = await save({})
  t.equal(empty.kind === 'content' && Object.keys(empty.content.problems).length, 6)
})

t.test('whatever a form holds, it never throws and keeps nothing that is not a preference', async () => {
  const value = (name: keyof Preferences) =>
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(chosen[name], defaultPreferences[name]) },
      fc.string({ unit: 'binary' }),
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
      const answer = await save(fields)
      if (answer.kind === 'content') return answer.status === 422
      if (answer.preferences === undefined) return false
      const cookie = serializePreferences(answer.preferences)
      return serializePreferences(parsePreferences(cookie)) === cookie
    }),
  )
})

/** A store of webhooks in memory, with what was asked of it. */
function webhookStore(kept: Webhook[] = []) {
  const { webhooks } = fakeContext().store
  return {
    kept,
    store: {
      webhooks: {
        ...webhooks,
        list: async () => kept,
        add: async (webhook: Webhook) => {
          kept.push(webhook)
        },
        change: async (webhook: Webhook) => {
          kept.splice(
            kept.findIndex(each => each.id === webhook.id),
            1,
            webhook,
          )
        },
        remove: async (id: string) => {
          kept.splice(
            kept.findIndex(each => each.id === id),
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

t.test('a webhook is added, and its key is shown this once', async t => {
  const { kept, store } = webhookStore()
  const form = new URLSearchParams({ ...chat, ratio: '2.5', minutes: '10' })
  const answer = await actOnSettings(form, fakeRequest(), fakeContext({ store }))
  t.match(kept, [
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
  const secret = kept[0]?.secret
  t.match(answer, { kind: 'content', content: { made: { kind: 'webhook', name: 'Chat', secret } } })
  const later = await settings(fakeRequest(), fakeContext({ store }))
  t.notMatch(JSON.stringify(later), /whsec_|hush/, 'neither the key nor the path of the address')
  t.match(later, { content: { webhooks: [{ name: 'Chat', origin: 'https://chat.example' }], made: null } })
})

t.test('a webhook that can not be is not kept, and what was typed stays', async t => {
  const wrong: [Record<string, string>, string][] = [
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(61) }, 'name'],
    [{ url: 'chat.example' }, 'url'],
    [{ url: 'javascript:alert(1)' }, 'url'],
    [{ url: 'https://me:word@chat.example/' }, 'url'],
    [{ new: '' }, 'new'],
    [{ ratio: '0' }, 'ratio'],
    [{ ratio: 'NaN' }, 'ratio'],
    [{ ratio: '5', minutes: '1e9' }, 'minutes'],
    [{ ratio: '5', minutes: '1.5' }, 'minutes'],
  ]
  for (const [fields, field] of wrong) {
    const { kept, store } = webhookStore()
    const form = { ...chat, ...fields }
    const answer = await actOnSettings(new URLSearchParams(form), fakeRequest(), fakeContext({ store }))
    if (answer.kind !== 'content') throw new Error(`${field} was taken`)
    t.equal(answer.status, 422)
    t.same(Object.keys(answer.content.webhookForm.problems), [field], JSON.stringify(fields))
    t.equal(answer.content.webhookForm.values.name, form.name)
    t.same(kept, [])
  }
})

t.test('a webhook is tested and removed, and the page says so', async t => {
  const { kept, store } = webhookStore()
  await actOnSettings(new URLSearchParams(chat), fakeRequest(), fakeContext({ store }))
  const id = kept[0]?.id ?? ''
  const tested: string[] = []
  const context = fakeContext({
    store,
    webhooks: { ...fakeContext().webhooks, test: async webhook => void tested.push(webhook.id) },
  })
  const act = (form: string) => actOnSettings(new URLSearchParams({ form, id }), fakeRequest(), context)
  t.match(await act('test-webhook'), {
    kind: 'redirect',
    location: `/settings?done=webhook-tested&webhook=${id}#webhooks`,
  })
  t.same(tested, [id])
  t.match(await act('remove-webhook'), { location: '/settings?done=webhook-removed#webhooks' })
  t.same(kept, [])
  t.match(await act('test-webhook'), { kind: 'redirect' }, 'one that is gone is no failure')
  t.match(await act('no-such-form'), { kind: 'content', status: 422 })
})

t.test('a webhook is changed, and keeps its address and key where none is typed', async t => {
  const { kept, store } = webhookStore()
  const context = fakeContext({ store })
  const act = (form: Record<string, string>) =>
    actOnSettings(new URLSearchParams(form), fakeRequest(), context)
  await act(chat)
  await act({ ...chat, name: 'Other' })
  const [before] = kept
  const change = {
    ...chat,
    form: 'change-webhook',
    id: before?.id ?? '',
    name: 'On call',
    url: '',
    ratio: '7',
  }
  t.match(await act(change), { location: '/settings?done=webhook-changed#webhooks' })
  t.same(kept[0], {
    ...before,
    name: 'On call',
    conditions: { newFailure: true, returnedFailure: false, errorRatio: { above: 0.07, overMinutes: 5 } },
  })
  t.match(await settings(fakeRequest(), context), {
    content: {
      webhooks: [{ form: { values: { name: 'On call', url: '', new: 'on', returned: '', ratio: '7' } } }, {}],
    },
  })
  await act({ ...change, url: 'https://pager.example/x' })
  t.match(kept, [
    { url: 'https://pager.example/x', secret: before?.secret },
    { name: 'Other', url: chat.url },
  ])

  const wrong = await act({ ...change, name: 'Other', ratio: 'x' })
  t.match(wrong, { status: 422, content: { webhookForm: { problems: {} } } })
  if (wrong.kind !== 'content') throw new Error('It was taken')
  t.match(wrong.content.webhooks[0]?.form, {
    values: { name: 'Other', ratio: 'x' },
    problems: { name: 'There is a webhook of this name already', ratio: String },
  })
  t.same(wrong.content.webhooks[1]?.form.problems, {})
  t.match(await act({ ...change, id: 'no such' }), { kind: 'redirect' }, 'one that is gone is no failure')
  t.equal(kept.length, 2)
})

t.test('a receiver that does not answer holds the page no longer than a visitor may wait', async t => {
  const { kept, store } = webhookStore()
  await actOnSettings(new URLSearchParams(chat), fakeRequest(), fakeContext({ store }))
  const visit = new AbortController()
  const context = fakeContext({
    store,
    webhooks: {
      ...fakeContext().webhooks,
      test: () => {
        visit.abort()
        return new Promise(() => {})
      },
    },
  })
  const form = new URLSearchParams({ form: 'test-webhook', id: kept[0]?.id ?? '' })
  t.match(await actOnSettings(form, fakeRequest('', { signal: visit.signal }), context), { kind: 'redirect' })
})

t.test('a token is shown where it was made, and nowhere else', async t => {
  const kept: { id: string; name: string; createdMs: number; hash: string }[] = []
  const tokens = {
    ...fakeContext().store.tokens,
    list: async () => kept,
    add: async (token: { id: string; name: string; createdMs: number }, hash: string) => {
      kept.push({ ...token, hash })
    },
    remove: async (id: string) => {
      kept.splice(
        kept.findIndex(each => each.id === id),
        1,
      )
    },
  }
  const context = fakeContext({ store: { tokens } })
  const act = (form: Record<string, string>) =>
    actOnSettings(new URLSearchParams(form), fakeRequest(), context)
  const answer = await act({ form: 'make-token', name: ' shop ' })
  if (answer.kind !== 'content' || answer.content.made === null) throw new Error('No token was made')
  t.match(answer.content.made, { kind: 'token', name: 'shop', secret: /^sxp_.{32}$/ })
  const later = JSON.stringify(await settings(fakeRequest(), context))
  t.match(later, '"name":"shop"')
  t.notMatch(later, answer.content.made.secret)
  t.notMatch(later, kept[0]?.hash)
  for (const name of ['', 'x'.repeat(61)]) {
    t.match(await act({ form: 'make-token', name }), {
      status: 422,
      content: { tokenForm: { name, problem: String }, made: null },
    })
  }
  t.equal(kept.length, 1)
  t.match(await act({ form: 'revoke-token', id: kept[0]?.id ?? '' }), {
    location: '/settings?done=token-revoked#tokens',
  })
  t.same(kept, [])
})

/** A context whose settings are kept in memory, over this environment. */
async function withSettings(t: Test, env: Record<string, string> = {}, store: Partial<Store> = {}) {
  const config = readConfig(env)
  const kept = new Map<string, StoredSetting>()
  const settings = await openSettings({
    config,
    logger: pino({ enabled: false }),
    store: {
      list: async () => [...kept.values()],
      save: async (changes, changedMs) => {
        for (const { name, value } of changes) {
          if (value === null) kept.delete(name)
          else kept.set(name, { name, value, changedMs })
        }
      },
    },
  })
  t.teardown(() => settings.stop())
  const context = fakeContext({ config, settings, store })
  const act = (form: Record<string, string>) =>
    actOnSettings(new URLSearchParams(form), fakeRequest(), context)
  return { settings, context, act }
}

t.test('the log level is changed, and goes back to what the environment says', async t => {
  const { settings: kept, context, act } = await withSettings(t, { LOG_LEVEL: 'warn' })
  t.match(await act({ form: 'level', level: 'debug' }), {
    kind: 'redirect',
    location: '/settings?done=level-changed#log-level',
  })
  t.equal(kept.current().logLevel, 'debug')
  t.match(await settings(fakeRequest(), context), {
    content: {
      level: { value: 'debug', environment: 'warn', isChanged: true },
      server: [
        {},
        {},
        {},
        {},
        {},
        { name: 'LOG_LEVEL', value: 'debug', part: 'log-level', environment: 'warn' },
      ],
    },
  })
  for (const level of ['', 'loud', 'INFO']) {
    t.match(await act({ form: 'level', level }), { status: 422, content: { level: { problem: String } } })
  }
  t.match(await act({ form: 'level', level: 'error', to: 'environment' }), { kind: 'redirect' })
  t.equal(kept.current().logLevel, 'warn')
  t.same(kept.changed(), {})
})

t.test('a retention that drops events is asked about before it holds', async t => {
  let past = 1200
  const { settings: kept, act } = await withSettings(t, {}, { pastRetention: async () => past })
  const days = () => kept.current().retention.maxAgeMs / 86_400_000
  const form = { form: 'retention', days: '7', gigabytes: '10' }
  t.match(await act(form), {
    kind: 'content',
    title: 'Confirm · Settings',
    content: {
      retention: { days: { value: '7' }, confirm: { dropped: 1200, days: '7', gigabytes: '10' } },
    },
  })
  t.equal(days(), 30, 'nothing is changed yet')
  t.match(await act({ ...form, confirmed: 'yes' }), {
    location: '/settings?done=retention-changed#retention',
  })
  t.equal(days(), 7)
  t.match(await act({ ...form, days: '60' }), { kind: 'redirect' }, 'more is never asked about')
  t.match(await act({ form: 'retention', to: 'environment' }), {
    content: { retention: { confirm: { dropped: 1200, days: '30', gigabytes: '10' } } },
  })
  t.equal(days(), 60)
  past = 0
  t.match(await act({ form: 'retention', to: 'environment' }), { kind: 'redirect' })
  t.equal(days(), 30)
})

t.test('a retention that can not be is said beside its field, and what was typed stays', async t => {
  const { settings: kept, act } = await withSettings(t)
  for (const typed of ['', '0', '-1', '3O', 'Infinity', '1e9']) {
    t.match(await act({ form: 'retention', days: typed, gigabytes: '5', confirmed: 'yes' }), {
      status: 422,
      content: {
        retention: { days: { value: typed, problem: String }, gigabytes: { value: '5', problem: null } },
      },
    })
  }
  t.same(kept.changed(), {})
})

t.test('paths to redact are kept, one a line', async t => {
  const { settings: kept, context, act } = await withSettings(t, { SIXPANE_REDACT: 'a.b' })
  t.match(await act({ form: 'redaction', paths: ' user.email\r\nbody.card, user.email\n\n' }), {
    location: '/settings?done=redaction-changed#redaction',
  })
  t.same(kept.current().redactPaths, ['user.email', 'body.card'])
  t.match(await settings(fakeRequest(), context), {
    content: { redaction: { value: 'user.email\nbody.card', environment: 'a.b', isChanged: true } },
  })
  for (const paths of [
    'user[0].email',
    'ok\n*.email',
    'a..b',
    Array.from({ length: 101 }, (_, n) => `a${n}`).join('\n'),
  ]) {
    t.match(await act({ form: 'redaction', paths }), {
      status: 422,
      content: { redaction: { value: paths, problem: String } },
    })
  }
  await act({ form: 'redaction', paths: '' })
  t.same(kept.current().redactPaths, [], 'none, whatever the environment says')
})

t.test('paths are tried on a line, and nothing is kept', async t => {
  const { settings: kept, act } = await withSettings(t)
  const sample = '{"user":{"email":"a@b.test","plan":"free"},"password":"x"}'
  const answer = await act({ form: 'redaction', to: 'try', paths: 'user.email', sample })
  if (answer.kind !== 'content') throw new Error('It was saved')
  t.same(JSON.parse(answer.content.redaction.tried ?? ''), {
    user: { email: '[redacted]', plan: 'free' },
    password: '[redacted]',
  })
  t.match(answer.content.redaction, { value: 'user.email', sample })
  for (const wrong of ['', 'hello', '[1]', '"x"', '{']) {
    t.match(await act({ form: 'redaction', to: 'try', paths: 'user.email', sample: wrong }), {
      status: 422,
      content: { redaction: { sample: wrong, sampleProblem: String, tried: null } },
    })
  }
  t.same(kept.changed(), {})
})

t.test('every variable of the service is shown, and no secret', async t => {
  const config = readConfig({ SIXPANE_PASSWORD: 'correct horse', SIXPANE_DATA: '/srv/sixpane-data' })
  const answer = await settings(fakeRequest(), fakeContext({ config }))
  if (answer.kind !== 'content') throw new Error('The settings redirected')
  const { server, redacted } = answer.content
  t.same(server.map(({ name }) => name).sort(), Object.keys(variables).sort())
  t.match(server, [{ name: 'HOST', value: '127.0.0.1' }])
  t.equal(server.find(({ name }) => name === 'SIXPANE_PASSWORD')?.value, 'set')
  t.equal(server.find(({ name }) => name === 'SIXPANE_DATA')?.value, 'sixpane-data')
  t.notMatch(JSON.stringify(answer), /correct horse|srv/)
  t.ok(redacted.includes('password'))
})
