import t from 'tap'
import type { FailureNote } from '../../../shared/failure.ts'
import { failureForms } from '../../../shared/screens/development.ts'
import type { FailureStates, Resolution } from '../../store/failure-store.ts'
import type { Store } from '../../store/store.ts'
import { fakeContext, fakeRequest, testNowMs } from '../../testing/fake-context.ts'
import { uiFailure as failure } from '../ui/ui.ts'
import { development } from './development.ts'
import { actOnFailure } from './failure-actions.ts'

const { id } = failure
const note: FailureNote = { id: 'n1', writtenMs: testNowMs - 1, text: 'Known' }

/**
 * Submits a form while the store contains one failure. Returns the response, the changes to the failure, and the entries in
 * the audit log.
 */
async function act(form: Record<string, string>, query = `failure=${id}`, notes = [note]) {
  const changes: unknown[] = []
  const entries: string[][] = []
  const record = async (_user: object, ...entry: string[]) => void entries.push(entry)
  const { failureStates } = fakeContext().store
  const recordingStates: FailureStates = {
    ...failureStates,
    resolve: async (...change: [string, Resolution]) => void changes.push(['resolve', ...change]),
    setState: async (...change) => void changes.push(['state', ...change]),
    addNote: async (...change) => void changes.push(['add', ...change]),
    removeNote: async (...change) => void changes.push(['remove', ...change]),
    notes: async () => notes,
  }
  const store: Partial<Store> = {
    failureId: async fingerprint => (fingerprint === 'old' ? id : fingerprint),
    failure: async requested => (requested === id ? failure : null),
    failuresOfDigest: async digest => (digest === '2338471' ? [id] : digest === 'moved' ? ['other'] : []),
    releases: async services => (services.includes('shop') ? known : []),
    failureStates: recordingStates,
  }
  const response = await actOnFailure(
    new URLSearchParams(form),
    fakeRequest(query),
    fakeContext({ store, audit: { ...fakeContext().audit, record } }),
    development.get,
  )
  return { response, changes, entries }
}

const known = [
  { service: 'shop', release: '1.1.0', firstSeenMs: 2 },
  { service: 'shop', release: '1.0.0', firstSeenMs: 1 },
]

t.test('resolves a failure in the next release', async t => {
  const { response, changes } = await act({ form: failureForms.resolve })
  t.match(response, {
    kind: 'redirect',
    location: new RegExp(`^/development\\?failure=${id}&done=resolved&changed=1&undo=[-\\w]+#failure$`),
  })
  t.match(changes, [['resolve', id, { release: null, atMs: testNowMs }]])
  t.match(JSON.stringify(changes), '1.1.0')
})

t.test('after a form, the same failure is shown, even if another one has the digest now', async t => {
  for (const query of [`failure=${id}&digest=moved`, `digest=moved&shown=${id}`]) {
    const { response } = await act({ form: failureForms.resolve }, query)
    t.match(response, { location: new RegExp(`^/development\\?failure=${id}&done=resolved`) }, query)
  }
  const { response } = await act({ form: failureForms.resolve }, `failure=${id}&digest=2338471`)
  t.match(response, { location: new RegExp(`^/development\\?failure=${id}&digest=2338471&done=resolved`) })
})

t.test('resolves a failure in a specific release, even an unknown one', async t => {
  for (const release of ['1.1.0', 'a future release']) {
    const { response, changes } = await act({ form: failureForms.resolve, release: ` ${release} ` })
    t.equal(response.kind, 'redirect')
    t.match(changes, [['resolve', id, { release }]])
  }
})

t.test('shows an invalid release again, with an error message', async t => {
  for (const release of ['', '  ', 'x'.repeat(201)]) {
    const { response, changes } = await act({ form: failureForms.resolve, release })
    t.match(response, {
      kind: 'content',
      status: 422,
      content: { failure: { resolveForm: { release: release.trim(), problem: /./ } } },
    })
    t.same(changes, [])
  }
})

t.test('mutes and reopens a failure', async t => {
  t.same((await act({ form: failureForms.mute })).changes, [
    ['state', id, 'muted', testNowMs, { untilMs: null, by: null }],
  ])
  t.same((await act({ form: failureForms.mute, for: '24h' })).changes, [
    ['state', id, 'muted', testNowMs, { untilMs: testNowMs + 86_400_000, by: null }],
  ])
  t.same((await act({ form: failureForms.reopen })).changes, [
    ['state', id, 'open', testNowMs, { untilMs: null, by: null }],
  ])
})

t.test('adds a note as typed', async t => {
  const { response, changes } = await act({ form: failureForms.addNote, text: ' <b>one</b>\r\n  two ' })
  t.same(response, { kind: 'redirect', location: `/development?failure=${id}#notes` })
  t.match(changes, [['add', id, { writtenMs: testNowMs, text: '<b>one</b>\n  two' }]])
})

t.test('a form changes the failure even if the URL contains another of its fingerprints', async t => {
  const { response, changes } = await act(
    { form: failureForms.addNote, text: 'one' },
    'failure=old&sort=frequent',
  )
  const location = `/development?failure=${id}&sort=frequent#notes`
  t.same(response, { kind: 'redirect', location })
  t.match(changes, [['add', id, { text: 'one' }]])
  t.match((await act({ form: failureForms.addNote, text: '' }, 'failure=old')).response, { status: 422 })
})

t.test('an invalid note stays in its field', async t => {
  const full = Array.from({ length: 200 }, () => note)
  const cases = [
    { text: ' ', notes: [] },
    { text: 'x'.repeat(5001), notes: [] },
    { text: 'one more', notes: full },
  ]
  for (const { text, notes } of cases) {
    const { response, changes } = await act({ form: failureForms.addNote, text }, undefined, notes)
    t.match(response, {
      status: 422,
      title: /Not saved/,
      content: { failure: { noteForm: { text: text.trim(), problem: /./ }, notes } },
    })
    t.same(changes, [])
  }
})

t.test('removes a note', async t => {
  const { changes, entries } = await act({ form: failureForms.removeNote, id: 'n1' })
  t.same(changes, [['remove', id, 'n1']])
  t.same(entries, [['Deleted a note', id]])
})

t.test('the audit log does not contain the removal of a note that is already gone', async t => {
  const { response, changes, entries } = await act({ form: failureForms.removeNote, id: 'n2' })
  t.match(response, { kind: 'redirect', location: /#notes$/ })
  t.same([changes, entries], [[], []])
})

t.test('redirects to the view that contained the form', async t => {
  const query = 'digest=2338471&sort=frequent&state=muted&range=7d'
  const { response } = await act({ form: failureForms.mute }, query)
  t.match(response, {
    kind: 'redirect',
    location: /^\/development\?digest=2338471&sort=frequent&state=muted&range=7d&done=muted&/,
  })
})

t.test('an unknown form, or a form for an unknown failure, changes nothing', async t => {
  for (const query of ['failure=ffffffffff', 'digest=1', '']) {
    const { response, changes } = await act({ form: failureForms.mute }, query)
    t.equal(response.kind, 'content')
    if (query !== '') t.match(response, { status: 404, content: { missing: {} } })
    t.same(changes, [])
  }
  const { response, changes } = await act({ form: 'delete-everything' })
  t.match(response, { status: 422, content: { failure: { id } } })
  t.same(changes, [])
})
