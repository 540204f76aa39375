import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createChunkStore } from './chunk-store.ts'
import { sha1Of } from './testing.ts'
import { type UploadLimits, uploadLimits } from './upload-limits.ts'

const one = Buffer.from('one')
const two = Buffer.from('two')
const chunk = (bytes: Buffer) => ({ sha1: sha1Of(bytes), bytes })
const names = [sha1Of(one), sha1Of(two)]

function setUp(t: Test, limits: Partial<Record<keyof UploadLimits, number>> = {}) {
  const folder = join(t.testdir(), 'uploads')
  let now = 0
  const store = createChunkStore(folder, { nowMs: () => now, limits: { ...uploadLimits, ...limits } })
  return {
    store,
    files: () => readdirSync(folder).toSorted(),
    advance: (ms: number) => {
      now += ms
    },
  }
}

t.test('joins chunks in the given order, and stores them until they are removed', async t => {
  const { store, files } = setUp(t)
  t.same(store.missing([...names, ...names]), names)
  await store.put(chunk(two))
  t.same(store.missing(names), [sha1Of(one)])
  await Promise.all([store.put(chunk(one)), store.put(chunk(one))])
  t.same(store.missing(names), [])
  t.same(files(), names.toSorted())
  const whole = sha1Of(Buffer.from('onetwo'))
  t.equal(await store.withFile(whole, names, async path => readFileSync(path, 'utf8')), 'onetwo')
  t.same(files(), names.toSorted())
  await store.remove(names)
  t.same(files(), [])
  t.same(store.missing(names), names)
})

t.test('a chunk that is being removed is missing, and can be stored again', async t => {
  const { store } = setUp(t)
  await store.put(chunk(one))
  const removed = store.remove([sha1Of(one)])
  t.same(store.missing([sha1Of(one)]), [sha1Of(one)])
  await Promise.all([removed, store.put(chunk(one)), store.put(chunk(one))])
  t.same(store.missing([sha1Of(one)]), [])
  const content = store.withFile(sha1Of(one), [sha1Of(one)], async path => readFileSync(path, 'utf8'))
  t.equal(await content, 'one')
})

t.test('the joined file is deleted if it is invalid or cannot be used', async t => {
  const { store, files } = setUp(t, { bundleBytes: 6 })
  await store.put(chunk(one))
  await store.put(chunk(two))
  const use = async () => {
    throw new Error('unusable')
  }
  const join = (content: string, chunks: readonly string[]) =>
    store.withFile(sha1Of(Buffer.from(content)), chunks, use)
  await t.rejects(join('onetwo', names), { message: 'unusable' })
  await t.rejects(join('twoone', names), { name: 'BundleError', message: /`checksum`/ })
  await t.rejects(join('onetwoone', [...names, sha1Of(one)]), { name: 'BundleError', message: /larger than/ })
  await t.rejects(join('x', ['0'.repeat(40)]), { name: 'BundleError', message: /missing/ })
  t.same(files(), names.toSorted())
})

t.test('limits the size and number of chunks, and frees the space of removed ones', async t => {
  const bySize = setUp(t, { pendingBytes: 5 }).store
  await bySize.put(chunk(one))
  await bySize.put(chunk(one))
  await t.rejects(bySize.put(chunk(two)), { name: 'HttpError', message: /Too many uploads/ })
  await bySize.remove([sha1Of(one), sha1Of(one)])
  await bySize.put(chunk(two))
  const byNumber = setUp(t, { pendingChunks: 1 }).store
  await byNumber.put(chunk(one))
  await t.rejects(byNumber.put(chunk(two)), { name: 'HttpError', message: /Too many uploads/ })
})

t.test('deletes old chunks, and all chunks when cleared', async t => {
  const { store, files, advance } = setUp(t)
  await store.clear()
  await store.put(chunk(one))
  advance(59 * 60_000)
  await store.put(chunk(two))
  await store.removeExpired()
  t.same(store.missing(names), [])
  advance(2 * 60_000)
  await store.removeExpired()
  t.same(store.missing(names), [sha1Of(one)])
  t.same(files(), [sha1Of(two)])
  await store.clear()
  t.throws(files)
  t.same(store.missing(names), names)
})
