import t from 'tap'
import { emptyState } from './state.ts'
import { deleteUndosBefore, undosOf } from './undos.ts'

t.test('a change of a kind that this version does not support cannot be undone', async t => {
  const state = emptyState()
  const undos = undosOf(async work => work(state))
  state.undos.set('newer', { undo: { kind: 'new kind' }, role: 'viewer', addedMs: 0 })
  t.notOk(await undos.has('newer', 'admin'))
  t.equal(await undos.undoOnce('newer', 'admin', async given => given), null)
})

t.test('deletes undos that were added before a given time', async t => {
  const state = emptyState()
  let nowMs = 1000
  const undos = undosOf(
    async work => work(state),
    () => nowMs,
  )
  const undo = { kind: 'restore preferences', former: {} } as const
  const old = await undos.add(undo, 'viewer')
  nowMs += 1
  const recent = await undos.add(undo, 'viewer')
  deleteUndosBefore(state, nowMs)
  t.notOk(await undos.has(old, 'viewer'))
  t.ok(await undos.has(recent, 'viewer'))
})
