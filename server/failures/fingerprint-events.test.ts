import t from 'tap'
import { type Fingerprint, fingerprint } from '../grouping/fingerprint.ts'
import type { StackFrame } from '../stacks/stack.ts'
import { anEvent } from '../store/conformance/testing.ts'
import { createFingerprintEvents } from './fingerprint-events.ts'

const exceptionWith = (message: string, stack: string) => ({ type: 'Error', message, stack })
const exception = exceptionWith('failed', 'Error: failed\n    at run (/app/dist/main.js:1:2)')

const fingerprintOf: Fingerprint = (thrown, fallback = { body: '', route: null }) =>
  fingerprint(thrown, fallback)

/** Source maps that cover every event, and place each frame in the file that `fileOf` returns. */
function mapsTo(fileOf: (frame: StackFrame) => string, version = () => 1) {
  const map = async (frame: StackFrame) => ({
    frame: { ...frame, file: fileOf(frame), content: null },
    unmapped: null,
  })
  return { covers: () => true, version, map }
}

t.test('lets other requests continue while it maps many events with the same frames', async t => {
  let [yields, mapped] = [0, 0]
  const maps = mapsTo(({ file }) => {
    mapped += 1
    return file
  })
  const startSlice = () => ({
    isUsedUp: () => true,
    async yieldToOthers() {
      yields += 1
    },
  })
  const fingerprintEvents = createFingerprintEvents(maps, () => 'mapped', startSlice)
  const events = Array.from({ length: 10 }, (_, index) =>
    anEvent({
      exception: exceptionWith(`failed ${index}`, exception.stack.replace('failed', `failed ${index}`)),
      fingerprint: 'as sent',
    }),
  )
  const result = await fingerprintEvents(events)
  t.same(new Set(result?.map(({ fingerprint }) => fingerprint)), new Set(['mapped']))
  t.equal(mapped, 1)
  t.equal(yields, 10)
})

t.test('an event keeps its fingerprint if the maps do not change its frames', async t => {
  const stacks = (file: string) => ({
    python: `Traceback (most recent call last):\n  File "/app/${file}.py", line 5, in total\nError: failed`,
    ruby: `/app/${file}.rb:5:in 'total': failed (Error)`,
    dotnet: `Error: failed\n   at Shop.${file}.Total(Int32 a)`,
    java: `Error: failed\n\tat shop.${file}.total(Unknown Source)`,
    gecko: `total@https://shop.example/${file}.js:1:9`,
  })
  const fingerprintEvents = createFingerprintEvents(
    mapsTo(({ file }) => file),
    fingerprintOf,
  )
  const user = Object.values(stacks('User'))
  for (const [index, [runtime, stack]] of Object.entries(stacks('Cart')).entries()) {
    const thrown = [stack, user[index] ?? ''].map(each => exceptionWith('failed', each))
    const sent = thrown.map(each => fingerprintOf(each, anEvent()))
    const result = await fingerprintEvents(
      thrown.map((exception, at) => anEvent({ exception, fingerprint: sent[at] ?? null })),
    )
    t.not(sent[0], sent[1], runtime)
    t.same(
      result?.map(({ fingerprint }) => fingerprint),
      sent,
      runtime,
    )
  }
})

t.test('an event gets its original fingerprint back when maps no longer change its frames', async t => {
  let version = 1
  const maps = mapsTo(
    ({ file }) => (version === 1 ? 'src/run.ts' : file),
    () => version,
  )
  const fingerprintEvents = createFingerprintEvents(maps, fingerprintOf)
  const sent = anEvent({ exception, fingerprint: fingerprintOf(exception, anEvent()) })
  const mapped = (await fingerprintEvents([sent])) ?? []
  t.not(mapped[0]?.fingerprint, sent.fingerprint)
  version = 2
  t.same(await fingerprintEvents(mapped), [sent])
})
