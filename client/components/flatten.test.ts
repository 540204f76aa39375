import t from 'tap'
import { flatten } from './flatten.ts'

t.test('flattens nested attributes to dotted paths, but not lists or empty objects', async t => {
  t.same(flatten({ a: { b: { c: 1 }, d: null }, list: [{ e: 1 }], none: {}, '': true }), [
    { path: 'a.b.c', value: 1 },
    { path: 'a.d', value: null },
    { path: 'list', value: [{ e: 1 }] },
    { path: 'none', value: {} },
    { path: '', value: true },
  ])
})

t.test('does not flatten objects with a key that a search for its path does not find', async t => {
  t.same(flatten({ 'a.b': { c: 1, 'd.e': 2 }, f: { g: { 'h.i': 3 } }, j: { 'k.l': { m: 4 } } }), [
    { path: 'a.b.c', value: 1 },
    { path: 'a.b.d.e', value: 2 },
    { path: 'f.g.h.i', value: 3 },
    { path: 'j.k.l', value: { m: 4 } },
  ])
})

t.test('stops at the maximum depth', async t => {
  const [only, ...more] = flatten({ a: { b: { c: { d: { e: { f: { g: { h: 1 } } } } } } } })
  t.equal(only?.path, 'a.b.c.d.e.f.g')
  t.same(only?.value, { h: 1 })
  t.same(more, [])
})
