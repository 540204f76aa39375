import t from 'tap'
import { createUndos } from './undo.ts'

t.test('a change can be undone once', async t => {
  const undos = createUndos()
  const undo = async () => ({})
  const id = undos.add(undo)
  t.ok(undos.has(id))
  t.equal(undos.take(id), undo)
  t.notOk(undos.has(id))
  t.equal(undos.take(id), undefined)
})

t.test('only the latest changes are remembered', async t => {
  const undos = createUndos()
  const ids = Array.from({ length: 201 }, () => undos.add(async () => ({})))
  t.same(
    ids.filter(id => !undos.has(id)),
    [ids[0]],
  )
})
