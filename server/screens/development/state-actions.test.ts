import t from 'tap'
import { failureForms } from '../../../shared/screens/development.ts'
import { anEvent } from '../../store/conformance/testing.ts'
import { openMemoryStore } from '../../store/memory/store.ts'
import type { Store } from '../../store/store.ts'
import { fakeContext, fakeRequest, testNowMs } from '../../testing/fake-context.ts'
import { development } from './development.ts'

/**
 * Creates a screen that shows these failures, newest first.
 * @param replacementsFor returns replacements for parts of the store
 */
async function screenWithFailures(
  ids: readonly string[] = ['a', 'b', 'c'],
  replacementsFor: (store: Store) => Partial<Store> = () => ({}),
) {
  const stored = openMemoryStore({ nowMs: () => testNowMs })
  const store = { ...stored, ...replacementsFor(stored) }
  await store.append(
    ids.map((fingerprint, index) =>
      anEvent({ fingerprint, timeMs: testNowMs - 1000 - index, severity: 'error', release: '1.0' }),
    ),
  )
  const entries: string[][] = []
  const record = async (_user: object, ...entry: string[]) => void entries.push(entry)
  const context = fakeContext({ store, audit: { ...fakeContext().audit, record } })
  const submit = async (fields: [string, string][], query = '') => {
    const response = await development.post?.(new URLSearchParams(fields), fakeRequest(query), context)
    if (response?.kind !== 'redirect') throw new Error('The response is not a redirect')
    return new URL(response.location, 'http://console.example')
  }
  const show = async (url: URL) => {
    const response = await development.get(fakeRequest(url.search.slice(1)), context)
    if (response.kind !== 'content') throw new Error('The screen returned a redirect')
    const { content } = response
    if (content.view !== 'failures' && content.view !== 'failure') throw new Error('No failures')
    return content
  }
  const states = async () => {
    const url = new URL('http://console.example/development?state=all')
    const content = await show(url)
    if (content.view !== 'failures') throw new Error('No list')
    return Object.fromEntries(content.failures.map(({ id, state }) => [id, state]))
  }
  return { store, entries, submit, show, states }
}

t.test('after a change that empties the last page, the page before it is shown', async t => {
  const ids = Array.from({ length: 51 }, (_, index) => `f${index + 10}`)
  const { submit, show } = await screenWithFailures(ids)
  const url = await submit(
    [
      ['failure', 'f60'],
      ['form', failureForms.mute],
    ],
    'page=2&sort=frequent',
  )
  t.match(Object.fromEntries(url.searchParams), { page: '2', sort: 'frequent' })
  const shown = await show(url)
  t.match(shown, { page: 1, total: 50, confirmation: { text: '1 failure muted.' } })
  const undo = await submit(
    [
      ['form', failureForms.undo],
      ['undo', shown.confirmation?.undoId ?? ''],
    ],
    url.search.slice(1),
  )
  t.match(await show(undo), { page: 2, failures: [{ id: 'f60' }] })
})

t.test('changes the selected failures together, confirms the change and undoes it', async t => {
  const { store, submit, show, states } = await screenWithFailures()
  await store.failureStates.setState('b', 'muted', testNowMs - 1)
  const url = await submit(
    [
      ['failure', 'a'],
      ['failure', 'b'],
      ['failure', 'deleted'],
      ['form', failureForms.resolve],
    ],
    'state=all&q=e&sort=age',
  )
  t.equal(url.pathname, '/development')
  t.match(Object.fromEntries(url.searchParams), { state: 'all', q: 'e', sort: 'age' })
  t.equal(url.hash, '#failures')
  t.same(await states(), { a: 'resolved', b: 'resolved', c: 'open' })
  const { confirmation } = await show(url)
  t.match(confirmation, { text: '2 failures resolved.', undoId: /./ })

  const undo: [string, string][] = [
    ['form', failureForms.undo],
    ['undo', confirmation?.undoId ?? ''],
  ]
  const undone = await submit(undo, url.search.slice(1))
  t.same((await show(undone)).confirmation, { text: 'Change undone.', undoId: null })
  t.same(await states(), { a: 'open', b: 'muted', c: 'open' })
  const again = await submit(undo, url.search.slice(1))
  t.same((await show(again)).confirmation, { text: 'This change can’t be undone any more.', undoId: null })
  t.equal((await show(url)).confirmation?.undoId, null, 'the Undo button disappears after use')
})

t.test('changes the selected failures even if the URL has an empty `failure` or `digest`', async t => {
  for (const query of ['digest=', 'failure=']) {
    const { submit, states } = await screenWithFailures()
    const url = await submit(
      [
        ['failure', 'a'],
        ['form', failureForms.mute],
      ],
      query,
    )
    t.equal(url.searchParams.get('done'), 'muted', query)
    t.same(await states(), { a: 'muted', b: 'open', c: 'open' }, query)
  }
})

t.test('resolves all selected failures, or none if a query fails', async t => {
  let queries = 0
  const { submit, states, entries } = await screenWithFailures(['a', 'b', 'c'], ({ releases }) => ({
    releases: async (...args) => {
      queries += 1
      if (queries === 2) throw new Error('The database is busy')
      return releases(...args)
    },
  }))
  const selected: [string, string][] = [
    ['failure', 'a'],
    ['failure', 'b'],
    ['form', failureForms.resolve],
  ]
  await t.rejects(submit(selected), { message: 'The database is busy' })
  t.same(await states(), { a: 'open', b: 'open', c: 'open' })
  t.same(entries, [])
  await submit(selected)
  t.same(await states(), { a: 'resolved', b: 'resolved', c: 'open' })
  t.same(entries, [['Resolved failures', 'a, b']])
})

t.test('the audit log contains the failures that changed before a write failed', async t => {
  let isFull = false
  const { submit, states, entries } = await screenWithFailures(['a', 'b', 'c'], ({ failureStates }) => ({
    failureStates: {
      ...failureStates,
      setState: async (id, ...args) => {
        if (isFull && id !== 'a') throw new Error('The disk is full')
        return failureStates.setState(id, ...args)
      },
    },
  }))
  isFull = true
  const mute = (...ids: string[]) =>
    submit([...ids.map((id): [string, string] => ['failure', id]), ['form', failureForms.mute]])
  await t.rejects(mute('b'), { message: 'The disk is full' })
  t.same(entries, [])
  await t.rejects(mute('a', 'b', 'c'), { message: 'The disk is full' })
  t.same(await states(), { a: 'muted', b: 'open', c: 'open' })
  t.same(entries, [['Muted failures', 'a']])
})

t.test('counts selected failures once if they were merged in the meantime', async t => {
  const { store, submit, show, entries } = await screenWithFailures()
  await store.manualGrouping.merge('a', 'b')
  const url = await submit([
    ['failure', 'a'],
    ['failure', 'b'],
    ['form', failureForms.resolve],
  ])
  t.match(await show(url), { confirmation: { text: '1 failure resolved.' } })
  t.same(entries, [['Resolved failures', 'b']])
})

t.test('mutes and reopens the selected failures', async t => {
  const { submit, states } = await screenWithFailures()
  await submit([
    ['failure', 'a'],
    ['failure', 'c'],
    ['form', failureForms.mute],
  ])
  t.same(await states(), { a: 'muted', b: 'open', c: 'muted' })
  await submit([
    ['failure', 'c'],
    ['form', failureForms.reopen],
  ])
  t.same(await states(), { a: 'muted', b: 'open', c: 'open' })
})

t.test('asks for a selection if there is none', async t => {
  const { submit, show, states } = await screenWithFailures()
  const url = await submit([['form', failureForms.resolve]])
  t.match(await show(url), { confirmation: { text: 'Select at least one failure.' } })
  t.same(await states(), { a: 'open', b: 'open', c: 'open' })
})

t.test('a state change can be undone on the page of its failure', async t => {
  const { submit, show, states } = await screenWithFailures()
  const url = await submit([['form', failureForms.mute]], 'failure=b&state=all')
  t.equal(url.hash, '#failure')
  const { confirmation } = await show(url)
  t.equal((await states()).b, 'muted')
  await submit(
    [
      ['form', failureForms.undo],
      ['undo', confirmation?.undoId ?? ''],
    ],
    'failure=b&state=all',
  )
  t.equal((await states()).b, 'open')
})

t.test('ignores unknown confirmations and invalid details of a confirmation', async t => {
  const { show } = await screenWithFailures()
  const confirmed = async (query: string) =>
    (await show(new URL(`http://console.example/development?${query}`))).confirmation
  t.equal(await confirmed('done=deleted'), null)
  t.equal(await confirmed('done=toString'), null)
  t.same(await confirmed('done=muted&changed=many&undo=guessed'), { text: '1 failure muted.', undoId: null })
})
