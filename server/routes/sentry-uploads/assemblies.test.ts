import { join } from 'node:path'
import t, { type Test } from 'tap'
import { fakeContext } from '../../testing/fake-context.ts'
import { createAssemblies } from './assemblies.ts'
import { createChunkStore } from './chunk-store.ts'
import { sha1Of, simpleBundle } from './testing.ts'

function createGate() {
  let open = () => {}
  const passed = new Promise<void>(resolve => {
    open = resolve
  })
  return { open, passed }
}

async function setUp(t: Test) {
  const chunks = createChunkStore(join(t.testdir(), 'uploads'))
  const started = createGate()
  const finish = createGate()
  let added = 0
  const assemblies = createAssemblies({
    chunks,
    context: fakeContext({
      sourceMaps: {
        version: () => 0,
        async add({ release, path, debugId, service }) {
          added += 1
          started.open()
          await finish.passed
          return { map: { id: 'x', release, path, debugId, service, uploadedMs: 0 }, isNew: true }
        },
      },
    }),
  })
  const request = async (release: string) => {
    const bytes = simpleBundle({ release })
    const checksum = sha1Of(bytes)
    await chunks.put({ sha1: checksum, bytes })
    return { checksum, chunks: [checksum], release: null }
  }
  return { assemblies, request, started: started.passed, finish: finish.open, added: () => added }
}

t.test('runs one assembly at a time, and none twice', async t => {
  const { assemblies, request, started, finish, added } = await setUp(t)
  const [one, two] = [await request('1'), await request('2')]
  t.match(assemblies.request(one), { state: 'created', missingChunks: [] })
  t.match(assemblies.request(two), { state: 'created' })
  await started
  t.match(assemblies.request(one), { state: 'assembling' })
  t.match(assemblies.request(two), { state: 'created' })
  t.equal(added(), 1)
  finish()
  await Promise.all([assemblies.ended(one), assemblies.ended(two)])
  t.match(assemblies.request(one), { state: 'ok', detail: null })
  t.match(assemblies.request(two), { state: 'ok' })
  t.equal(added(), 2)
})

t.test('limits the number of pending assemblies', async t => {
  const { assemblies, request, finish } = await setUp(t)
  for (let index = 0; index < 100; index += 1) assemblies.request(await request(`${index}`))
  const next = await request('next')
  t.throws(() => assemblies.request(next), { name: 'HttpError', message: /Too many/ })
  finish()
  await assemblies.stop()
})

t.test('stopping waits for the running assembly, and starts no others', async t => {
  const { assemblies, request, started, finish, added } = await setUp(t)
  const [one, two] = [await request('1'), await request('2')]
  assemblies.request(one)
  assemblies.request(two)
  await started
  const stopped = assemblies.stop()
  finish()
  await stopped
  t.equal(added(), 1)
  t.match(assemblies.request(two), { state: 'error', detail: /stopping/ })
})
