import t from 'tap'
import { runToEnd } from '../testing/pauses.ts'
import { concat } from './read-body.ts'

t.test('joins the chunks of a body, and pauses after each chunk', async t => {
  const chunks = ['one', 'two', 'three'].map(text => Buffer.from(text))
  const { result, pauses } = runToEnd(concat(chunks))
  t.equal(result.toString(), 'onetwothree')
  t.equal(pauses, 3)
  t.equal(chunks.length, 0)
})

t.test('does not copy a single-chunk body', async t => {
  const chunk = Buffer.from('one')
  t.equal(runToEnd(concat([chunk])).result, chunk)
  t.equal(runToEnd(concat([])).result.length, 0)
})
