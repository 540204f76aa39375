import t from 'tap'
import { isInvalidated } from './engine-errors.ts'
import { createRecovery } from './recovery.ts'
import { runCommit } from './run-commit.ts'

const durable = 'Transaction COMMIT succeeded and is durable, but the autocheckpoint failed.'
const invalidated = 'The database has been invalidated.'

/** Runs a transaction that fails with `message`. The first `failures` attempts to replace the engine fail. */
function commitThatFails(message: string, failures = 0) {
  const counts = { replaced: 0, reported: 0 }
  const recovery = createRecovery({
    isBroken: isInvalidated,
    async replace() {
      if (failures-- > 0) throw new Error('No space')
      counts.replaced += 1
    },
  })
  const result = runCommit(
    recovery,
    async () => {
      throw new Error(message)
    },
    () => {
      counts.reported += 1
    },
  )
  return { recovery, counts, result }
}

t.test('a durable commit resolves if the checkpoint after it fails', async t => {
  const { counts, result } = commitThatFails(durable)
  await result
  t.same(counts, { replaced: 0, reported: 0 })
})

t.test('a durable commit resolves even if the engine cannot be replaced', async t => {
  const { recovery, counts, result } = commitThatFails(`${durable} ${invalidated}`, 1)
  await result
  t.same(counts, { replaced: 0, reported: 1 })
  await recovery.run(async () => {})
  t.equal(counts.replaced, 1, 'the next operation replaces the engine')
})

t.test('a commit that may not be durable rejects after the engine is replaced', async t => {
  const { counts, result } = commitThatFails(invalidated)
  await t.rejects(result, { message: invalidated })
  t.same(counts, { replaced: 1, reported: 0 })
  await t.rejects(commitThatFails(invalidated, 1).result, { message: 'No space' })
})

t.test('rejects other errors without replacing the engine', async t => {
  const { counts, result } = commitThatFails('Constraint Error')
  await t.rejects(result, { message: 'Constraint Error' })
  t.same(counts, { replaced: 0, reported: 0 })
})
