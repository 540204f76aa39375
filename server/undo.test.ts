import t from 'tap'
import { createUndos } from './undo.ts'

t.test('a change can be undone once', async t => {
  const undos = createUndos()
  const undo = async () => ({})
  const id = undos.add(undo, 'member')
  t.ok(undos.has(id, 'member'))
  t.equal(undos.take(id, 'member'), undo)
  t.notOk(undos.has(id, 'member'))
  t.equal(undos.take(id, 'member'), undefined)
})

t.test('undoing a change needs the role that the change needed', async t => {
  const undos = createUndos()
  const undo = async () => ({})
  const id = undos.add(undo, 'admin')
  for (const role of ['viewer', 'member'] as const) {
    t.notOk(undos.has(id, role))
    t.equal(undos.take(id, role), undefined)
  }
  t.equal(undos.take(id, 'admin'), undo)
})

t.test('only the latest changes are remembered', async t => {
  const undos = createUndos()
  const ids = Array.from({ length: 201 }, () => undos.add(async () => ({}), 'viewer'))
  t.same(
    ids.filter(id => !undos.has(id, 'viewer')),
    [ids[0]],
  )
})
