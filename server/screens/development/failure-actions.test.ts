import t from 'tap'
import type { FailureNote } from '../../../shared/failure.ts'
import { failureForms } from '../../../shared/screens/development.ts'
import type { FailureStates, Resolution } from '../../store/failure-store.ts'
import type { Store } from '../../store/store.ts'
import { fakeContext, fakeRequest, testNowMs } from '../../testing/fake-context.ts'
import { uiContent } from '../ui/ui.ts'
import { development } from './development.ts'
import { actOnFailure } from './failure-actions.ts'

const { failure } = uiContent(fakeRequest().preferences)
const { id } = failure
const note: FailureNote = { id: 'n1', writtenMs: testNowMs - 1, text: 'Known' }

/** Acts on a store that keeps one failure; gives the answer, and what the book was told. */
async function act(form: Record<string, string>, query = `failure=${id}`, notes = [note]) {
  const told: unknown[] = []
  const { failureStates } = fakeContext().store
  const book: FailureStates = {
    ...failureStates,
    resolve: async (...what: [string, Resolution]) => void told.push(['resolve', ...what]),
    setState: async (...what) => void told.push(['state', ...what]),
    addNote: async (...what) => void told.push(['add', ...what]),
    removeNote: async (...what) => void told.push(['remove', ...what]),
    notes: async () => notes,
  }
  const store: Partial<Store> = {
    failureId: async fingerprint => (fingerprint === 'old' ? id : fingerprint),
    failure: async requested => (requested === id ? failure : null),
    failureOfDigest: async digest => (digest === '2338471' ? id : null),
    releases: async services => (services.includes('shop') ? known : []),
    failureStates: book,
  }
  const answer = await actOnFailure(
    new URLSearchParams(form),
    fakeRequest(query),
    fakeContext({ store }),
    development.get,
  )
  return { answer, told }
}

const known = [
  { service: 'shop', release: '1.1.0', firstSeenMs: 2 },
  { service: 'shop', release: '1.0.0', firstSeenMs: 1 },
]

t.test('a failure is resolved in the next release', async t => {
  const { answer, told } = await act({ form: failureForms.resolve })
  t.same(answer, { kind: 'redirect', location: `/development?failure=${id}#failure-state` })
  t.match(told, [['resolve', id, { release: null, atMs: testNowMs }]])
  t.match(JSON.stringify(told), '1.1.0')
})

t.test('a failure is resolved in a named release, which need not be known', async t => {
  for (const release of ['1.1.0', 'a fix that is still to come']) {
    const { answer, told } = await act({ form: failureForms.resolve, release: ` ${release} ` })
    t.equal(answer.kind, 'redirect')
    t.match(told, [['resolve', id, { release }]])
  }
})

t.test('a release that cannot be one comes back with what is wrong', async t => {
  for (const release of ['', '  ', 'x'.repeat(201)]) {
    const { answer, told } = await act({ form: failureForms.resolve, release })
    t.match(answer, {
      kind: 'content',
      status: 422,
      content: { selected: { resolveForm: { release: release.trim(), problem: /./ } } },
    })
    t.same(told, [])
  }
})

t.test('a failure is muted and reopened', async t => {
  t.same((await act({ form: failureForms.mute })).told, [['state', id, 'muted', testNowMs]])
  t.same((await act({ form: failureForms.reopen })).told, [['state', id, 'open', testNowMs]])
})

t.test('a note is added as it was typed', async t => {
  const { answer, told } = await act({ form: failureForms.addNote, text: ' <b>one</b>\r\n  two ' })
  t.same(answer, { kind: 'redirect', location: `/development?failure=${id}#notes` })
  t.match(told, [['add', id, { writtenMs: testNowMs, text: '<b>one</b>\n  two' }]])
})

t.test('a form of a page that has another fingerprint of the failure changes the failure', async t => {
  const { answer, told } = await act({ form: failureForms.addNote, text: 'one' }, 'failure=old&sort=frequent')
  const location = `/development?failure=${id}&sort=frequent#notes`
  t.same(answer, { kind: 'redirect', location })
  t.match(told, [['add', id, { text: 'one' }]])
  t.match((await act({ form: failureForms.addNote, text: '' }, 'failure=old')).answer, { status: 422 })
})

t.test('a note that cannot be kept stays in its field', async t => {
  const full = Array.from({ length: 200 }, () => note)
  const cases = [
    { text: ' ', notes: [] },
    { text: 'x'.repeat(5001), notes: [] },
    { text: 'one more', notes: full },
  ]
  for (const { text, notes } of cases) {
    const { answer, told } = await act({ form: failureForms.addNote, text }, undefined, notes)
    t.match(answer, {
      status: 422,
      title: /Not saved/,
      content: { selected: { noteForm: { text: text.trim(), problem: /./ }, notes } },
    })
    t.same(told, [])
  }
})

t.test('a note is removed', async t => {
  t.same((await act({ form: failureForms.removeNote, id: 'n1' })).told, [['remove', id, 'n1']])
})

t.test('the visitor comes back to where the form was sent from', async t => {
  const query = 'digest=2338471&sort=frequent&state=muted&range=7d'
  const { answer } = await act({ form: failureForms.mute }, query)
  t.same(answer, { kind: 'redirect', location: `/development?${query}#failure-state` })
})

t.test('what is not kept any more, or no form of the screen, changes nothing', async t => {
  for (const query of ['failure=ffffffffff', 'digest=1', '']) {
    const { answer, told } = await act({ form: failureForms.mute }, query)
    t.equal(answer.kind, 'content')
    if (query !== '') t.match(answer, { status: 404, content: { missing: {} } })
    t.same(told, [])
  }
  const { answer, told } = await act({ form: 'delete-everything' })
  t.match(answer, { status: 422, content: { selected: { id } } })
  t.same(told, [])
})
