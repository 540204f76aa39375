import t from 'tap'
import { isInvalidated, OpenTransactionError } from './engine-errors.ts'
import { rollback } from './rollback.ts'

const outOfMemory = new Error('Out of Memory Error: failed to allocate data of size 2.0 KiB')

function connection(failures: number, error: Error) {
  const statements: string[] = []
  return {
    statements,
    async run(statement: string) {
      if (statements.push(statement) <= failures) throw error
    },
  }
}

t.test('a rollback that runs out of memory is retried', async t => {
  const used = connection(2, outOfMemory)
  await rollback(used, 0)
  t.same(used.statements, ['ROLLBACK', 'ROLLBACK', 'ROLLBACK'])
})

t.test('a rollback is not retried if the transaction has already ended', async t => {
  const used = connection(
    9,
    new Error('TransactionContext Error: cannot rollback - no transaction is active'),
  )
  await rollback(used, 0)
  t.equal(used.statements.length, 1)
})

t.test('a rollback is not retried if the engine must be reopened', async t => {
  const used = connection(9, new Error('FATAL Error: the database has been invalidated'))
  await rollback(used, 0)
  t.equal(used.statements.length, 1)
})

t.test('if a transaction cannot be rolled back, the engine is treated as invalidated', async t => {
  const error = await rollback(connection(1000, outOfMemory), 0).catch((thrown: unknown) => thrown)
  t.ok(error instanceof OpenTransactionError)
  t.ok(isInvalidated(error))
})
