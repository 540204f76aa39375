import t from 'tap'
import { defaultPreferences } from '../../shared/preferences.ts'
import type { FormattedSettings } from '../settings/runtime-settings.ts'
import type { Undo } from '../store/undo-store.ts'
import type { Webhook } from '../store/webhook-store.ts'
import { fakeContext, fakeRequest, testNowMs } from '../testing/fake-context.ts'
import { undoChange } from './undo.ts'

const webhook: Webhook = {
  id: 'w1',
  name: 'Chat',
  url: 'https://chat.example/x',
  secret: 'whsec_AAAA',
  conditions: { newFailure: true, returnedFailure: false, errorRatio: null },
  createdMs: testNowMs,
}

/** Creates a context that records saved settings. `undo` stores an undo and applies it. */
function open() {
  const saved: Partial<FormattedSettings>[] = []
  const { settings } = fakeContext()
  const save = async (changes: Partial<FormattedSettings>) => void saved.push(changes)
  const entries: string[][] = []
  const audit = {
    ...fakeContext().audit,
    record: async (_user: object, ...entry: string[]) => void entries.push(entry),
  }
  const context = fakeContext({ settings: { ...settings, save }, audit })
  const { store } = context
  const undo = async (change: Undo) => {
    const form = new URLSearchParams({ undo: await store.undos.add(change, 'member') })
    return undoChange(form, fakeRequest(), context)
  }
  return { store, saved, entries, undo }
}

t.test('undoing a change twice, as two replicas may do, has the same result as undoing it once', async t => {
  const { store, saved, entries, undo } = open()
  const { failureStates, webhooks, savedSearches } = store
  const search = { id: 's1', name: 'slow', view: '', createdMs: testNowMs }
  await failureStates.setState('a', 'muted', testNowMs)
  const states = await failureStates.snapshotStates(['a', 'b'])
  await failureStates.setState('a', 'open', testNowMs + 1)
  await failureStates.setState('b', 'muted', testNowMs + 1)
  for (const repeated of [false, true]) {
    t.same(await undo({ kind: 'restore states', states }), {})
    t.same(await failureStates.snapshotStates(['a', 'b']), states)
    await undo({ kind: 'add webhook', webhook: { ...webhook, name: 'Former' } })
    await undo({ kind: 'change webhook', webhook })
    t.same(await webhooks.list(), [webhook])
    await undo({ kind: 'save search', search })
    t.same(await savedSearches.list(), [search])
    await undo({ kind: 'restore setting', name: 'LOG_LEVEL', value: 'debug' })
    t.same(saved, Array(repeated ? 2 : 1).fill({ logLevel: 'debug' }))
    t.same(
      entries.splice(0),
      [
        ['Undid a change to failures', 'a, b'],
        ['Undid a change', 'Former'],
        ['Undid a change', 'Chat'],
        ['Restored a saved search', 'slow'],
        ['Undid a change', 'LOG_LEVEL'],
      ],
      'the audit log contains each undo, whatever form the visitor submitted',
    )
  }
})

t.test('a change whose undo failed can still be undone, but only once', async t => {
  const { webhooks, undos } = fakeContext().store
  await webhooks.add({ ...webhook, secret: 'whsec_BBBB' })
  let isFull = true
  const change = async (changed: Webhook) => {
    if (isFull) throw new Error('The disk is full')
    await webhooks.change(changed)
  }
  const context = fakeContext({ store: { undos, webhooks: { ...webhooks, change } } })
  const form = new URLSearchParams({ undo: await undos.add({ kind: 'change webhook', webhook }, 'admin') })
  const request = fakeRequest()
  await t.rejects(undoChange(form, request, context), { message: 'The disk is full' })
  isFull = false
  const clicks = [undoChange(form, request, context), undoChange(form, request, context)]
  t.same(await Promise.all(clicks), [{}, null], 'a second click at the same time has no effect')
  t.same(await webhooks.list(), [webhook])
})

t.test('does not undo a change to a setting or webhook that has since been changed again', async t => {
  const { store, saved, entries, undo } = open()
  await store.webhooks.add({ ...webhook, name: 'Later' })
  const after = { ...webhook, name: 'Changed' }
  t.equal(await undo({ kind: 'change webhook', webhook, after }), null)
  t.equal(await undo({ kind: 'restore setting', name: 'LOG_LEVEL', value: 'debug', after: 'warn' }), null)
  t.same([saved, entries], [[], []])
  await store.webhooks.change(after)
  for (const title of ['once', 'twice, as two replicas may do']) {
    t.same(await undo({ kind: 'change webhook', webhook, after }), {}, title)
    t.same(await store.webhooks.list(), [webhook], title)
  }
  t.same(await undo({ kind: 'restore setting', name: 'LOG_LEVEL', value: 'debug', after: 'info' }), {})
  t.same(
    await undo({ kind: 'restore setting', name: 'LOG_LEVEL', value: 'info', after: 'debug' }),
    {},
    'twice',
  )
  t.same(saved, [{ logLevel: 'debug' }, { logLevel: 'info' }])
})

t.test('does not undo a change to a webhook that has since been removed', async t => {
  const { entries, undo } = open()
  t.equal(await undo({ kind: 'change webhook', webhook }), null)
  t.same(entries, [])
})

t.test('does not restore a webhook or its name if a newer webhook has this name', async t => {
  const { store, entries, undo } = open()
  const newer = { ...webhook, id: 'w2' }
  await store.webhooks.add(newer)
  t.equal(await undo({ kind: 'add webhook', webhook }), null)
  const renamed = { ...webhook, name: 'Pager', createdMs: testNowMs + 1 }
  await store.webhooks.add(renamed)
  t.equal(await undo({ kind: 'change webhook', webhook }), null)
  t.same(await store.webhooks.list(), [newer, renamed])
  t.same(entries, [])
})

t.test('does not restore a webhook if there are already 20', async t => {
  const { store, entries, undo } = open()
  for (let index = 1; index <= 20; index += 1) {
    await store.webhooks.add({ ...webhook, id: `other-${index}`, name: `Other ${index}` })
  }
  t.equal(await undo({ kind: 'add webhook', webhook }), null)
  t.equal((await store.webhooks.list()).length, 20)
  t.same(entries, [])
})

t.test('does not restore a saved search if there is a newer one with the same name', async t => {
  const { store, entries, undo } = open()
  const newer = { id: 's2', name: 'slow', view: 'q=new', createdMs: testNowMs }
  await store.savedSearches.save(newer)
  const search = { id: 's1', name: 'slow', view: 'q=old', createdMs: testNowMs }
  t.equal(await undo({ kind: 'save search', search }), null)
  t.same(await store.savedSearches.list(), [newer])
  t.same(entries, [])
})

t.test('returns the former preferences, without an entry in the audit log', async t => {
  const { entries, undo } = open()
  t.same(await undo({ kind: 'restore preferences', former: { theme: 'dark', timeZone: 'Asia/Tokyo' } }), {
    preferences: { ...defaultPreferences, theme: 'dark', timeZone: 'Asia/Tokyo', isBrowserZone: false },
  })
  t.same(entries, [])
})

t.test('does not restore a setting or a value that this version does not support', async t => {
  const { saved, entries, undo } = open()
  t.equal(await undo({ kind: 'restore setting', name: 'OTHER', value: '1' }), null)
  t.equal(await undo({ kind: 'restore setting', name: 'LOG_LEVEL', value: 'loud' }), null)
  t.same([saved, entries], [[], []])
})
