import t from 'tap'
import { mayTargetOwnEvents, withoutOwnEvents } from './own-events.ts'
import { parseQuery } from './parse.ts'

function mayTarget(text: string): boolean {
  const parsed = parseQuery(text)
  if ('problem' in parsed) throw new Error(parsed.problem.message)
  return mayTargetOwnEvents(parsed.query)
}

t.test('a search for sixpane, a source, a failure or an id may target Sixpane’s own events', async t => {
  for (const text of [
    'source:own',
    'source:*',
    'severity:error source:browser',
    'service:sixpane',
    'service:SIXPANE status:200',
    'trace:4bf92f3577b34da6a3ce929d0e0e4736',
    'request:req-17',
    'digest:*',
    'failure:open',
    '4bf92f3577b34da6',
    'timeout OR req-8123',
    '4163817072@E352',
  ]) {
    t.equal(mayTarget(text), true, text)
  }
})

t.test('other searches do not target Sixpane’s own events', async t => {
  for (const text of [
    '',
    'severity:error',
    'service:shop',
    'timeout',
    '-source:ndjson',
    '-service:sixpane',
  ]) {
    t.equal(mayTarget(text), false, text)
  }
})

t.test('excludes Sixpane’s own events by their service', async t => {
  const others = {
    kind: 'not',
    query: { kind: 'field', field: 'service', comparison: '=', value: 'sixpane', literal: true },
  } as const
  t.same(withoutOwnEvents({ kind: 'all' }), others)
  const text = { kind: 'text', text: 'timeout' } as const
  t.same(withoutOwnEvents(text), { kind: 'and', left: text, right: others })
})
