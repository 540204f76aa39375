import t from 'tap'
import { fieldEquals, type Query } from '../../../../shared/query.ts'
import { furtherConditions } from './further-conditions.ts'

const text: Query = { kind: 'text', text: 'declined' }
const attribute: Query = { kind: 'attribute', path: 'plan', comparison: '=', value: 'pro' }
const errors = fieldEquals('severity', 'error')
const notOwn: Query = { kind: 'not', query: fieldEquals('service', 'sixpane') }
const and = (left: Query, right: Query): Query => ({ kind: 'and', left, right })
const or = (left: Query, right: Query): Query => ({ kind: 'or', left, right })

t.test('returns the conditions that the wider search lacks', async t => {
  t.same(furtherConditions(and(and(text, errors), notOwn), and(text, notOwn)), [errors])
  const either = or(text, attribute)
  t.same(furtherConditions(and(either, errors), either), [errors])
  t.same(furtherConditions(text, text), [])
})

t.test('returns null if the searches differ in another way', async t => {
  t.equal(furtherConditions(or(text, errors), text), null)
  t.equal(furtherConditions(and(errors, notOwn), text), null)
})

t.test('returns null if the wider search needs neither long text nor attributes', async t => {
  t.equal(furtherConditions(and(errors, notOwn), notOwn), null)
  t.equal(furtherConditions(errors, { kind: 'all' }), null)
})
