import { setImmediate as turn } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import t from 'tap'
import { until } from '../../shared/testing/until.ts'
import { createSender, type SenderOptions } from './sender.ts'
import type { Body, Outcome } from './sender-post.ts'
import type { Timers } from './sender-timers.ts'

const stored: Outcome = { status: 'stored', rejected: 0, reason: '' }
const failed: Outcome = {
  status: 'failed',
  retryAfterMs: 0,
  maxAttempts: Number.POSITIVE_INFINITY,
  reason: 'unreachable',
}
const tooLarge: Outcome = { status: 'too large', reason: 'large' }
const rejected: Outcome = { status: 'rejected', reason: 'no' }

/** A clock that the test advances. */
function createClock() {
  const waiting = new Set<{ atMs: number; call: () => void; keepsAlive: boolean }>()
  let nowMs = 1_700_000_000_000
  const timers: Timers = {
    nowMs: () => nowMs,
    after(ms, call, { keepsAlive }) {
      const timer = { atMs: nowMs + ms, call, keepsAlive }
      waiting.add(timer)
      return () => waiting.delete(timer)
    },
  }
  return {
    timers,
    /** The remaining times of all timers, shortest first. */
    waits: () => [...waiting].map(({ atMs }) => atMs - nowMs).sort((a, b) => a - b),
    keepAliveCount: () => [...waiting].filter(({ keepsAlive }) => keepsAlive).length,
    pass(ms: number) {
      nowMs += ms
      for (const timer of [...waiting].sort((a, b) => a.atMs - b.atMs)) {
        if (timer.atMs > nowMs || !waiting.delete(timer)) continue
        timer.call()
      }
    },
  }
}

function linesOf({ bytes, isGzip }: Body): string[] {
  const text = (isGzip ? gunzipSync(bytes) : Buffer.from(bytes)).toString()
  return text.slice(0, -1).split('\n')
}

/** A sender whose first requests have these outcomes. Later batches are stored. */
function start(outcomes: (Outcome | Promise<Outcome>)[] = [], options: Partial<SenderOptions> = {}) {
  const clock = createClock()
  const bodies: Body[] = []
  const problems: string[] = []
  const sender = createSender(
    { url: 'http://127.0.0.1', onProblem: problem => problems.push(problem), ...options },
    {
      timers: clock.timers,
      random: () => 0.5,
      post: async body => {
        bodies.push(body)
        return outcomes.shift() ?? stored
      },
    },
  )
  return { sender, clock, bodies, problems, sent: () => bodies.map(linesOf) }
}

t.test('collects lines for a short time and sends them in one request', async t => {
  const { sender, clock, sent } = start()
  sender.send('{"a":1}')
  sender.send('{"a":2}')
  clock.pass(199)
  await turn()
  t.same(sent(), [])
  clock.pass(1)
  await until(() => sent().length === 1)
  t.same(sent(), [['{"a":1}', '{"a":2}']])
  await until(() => clock.waits().length === 0)
  t.same(await sender.close(), { dropped: 0 })
})

t.test('sends full batches immediately, one request at a time', async t => {
  let respond = (_outcome: Outcome) => {}
  const first = new Promise<Outcome>(resolve => {
    respond = resolve
  })
  const { sender, bodies, sent } = start([first])
  const lines = Array.from({ length: 40_000 }, (_, i) => `{"msg":"line ${i}"}`)
  for (const line of lines) sender.send(line)
  await until(() => bodies.length === 1)
  for (let i = 0; i < 10; i++) await turn()
  t.equal(bodies.length, 1, 'the next batch waits for the response')
  respond(stored)
  t.same(await sender.close(), { dropped: 0 })
  t.same(sent().flat(), lines)
  t.ok(bodies.length > 2)
  for (const { bytes } of bodies) t.ok(bytes.length < 1024 * 1024)
})

t.test('retries a batch with the same bytes until it is stored', async t => {
  const withRetryAfter: Outcome = { ...failed, retryAfterMs: 7000 }
  const { sender, clock, bodies, problems } = start([failed, failed, withRetryAfter, failed])
  sender.send('{"a":1}')
  clock.pass(200)
  // Half of 500 ms, doubled with each attempt, plus the delay that the server requested.
  for (const [attempts, waitMs] of [250, 500, 8000, 2000].entries()) {
    await until(() => bodies.length === attempts + 1 && clock.waits().length > 0)
    t.same(clock.waits(), [waitMs])
    t.equal(clock.keepAliveCount(), 0, 'the process may exit')
    sender.send(`{"meanwhile":${attempts}}`)
    clock.pass(waitMs)
  }
  await sender.flush()
  t.equal(bodies.length, 6)
  t.same(new Set(bodies.slice(0, 5)).size, 1)
  t.same(linesOf(bodies[5] ?? bodies[0] ?? { key: '', bytes: new Uint8Array(), isGzip: false }).length, 4)
  t.notSame(bodies[5]?.key, bodies[0]?.key)
  t.same(problems, ['Log lines are queued: unreachable'], 'reported once')
})

t.test('limits the delay that the server requests', async t => {
  const { sender, clock, bodies } = start(Array(20).fill({ ...failed, retryAfterMs: 1e12 }))
  sender.send('{}')
  clock.pass(200)
  for (let attempts = 1; attempts <= 20; attempts++) {
    await until(() => bodies.length === attempts && clock.waits().length > 0)
    t.ok((clock.waits()[0] ?? 0) <= 330_000)
    clock.pass(330_000)
  }
  t.same(await sender.close(), { dropped: 0 })
})

t.test('retries an attempt that times out without a response', async t => {
  const clock = createClock()
  const reasons: unknown[] = []
  const sender = createSender(
    { url: 'http://127.0.0.1' },
    {
      timers: clock.timers,
      random: () => 0.5,
      post: (_body, signal) =>
        new Promise(resolve => {
          if (reasons.length > 0) resolve(stored)
          signal.addEventListener('abort', () => {
            reasons.push(signal.reason)
            resolve(failed)
          })
        }),
    },
  )
  sender.send('{}')
  clock.pass(200)
  await until(() => clock.waits().includes(30_000))
  clock.pass(30_000)
  t.match(reasons, [{ message: 'no response within 30 s' }])
  await until(() => clock.waits().includes(250))
  t.same(await sender.close(), { dropped: 0 })
})

t.test('drops and counts rejected lines, and reports them in the next batch', async t => {
  const { sender, sent, problems } = start([rejected, rejected])
  for (const id of [1, 2]) {
    sender.send(`{"name":"shop","id":${id},"msg":"a"}`)
    sender.send(`{"name":"shop","id":${id},"msg":"b"}`)
    await sender.flush()
  }
  sender.send('{"name":"shop","id":3}')
  await sender.flush()
  sender.send('{"name":"shop","id":4}')
  t.same(await sender.close(), { dropped: 4 })
  const [line = '', note = '', ...more] = sent()[2] ?? []
  t.equal(line, '{"name":"shop","id":3}')
  t.match(JSON.parse(note), { level: 'warn', name: 'shop', msg: /^4 lines were dropped/, droppedLines: 4 })
  t.same(more, [])
  t.same(sent()[3], ['{"name":"shop","id":4}'])
  t.same(problems, ['Log lines were dropped: no'], 'reported once')
})

t.test('counts the lines that Sixpane rejects', async t => {
  const { sender, problems } = start([{ status: 'stored', rejected: 1, reason: 'The line is not JSON' }])
  sender.send('{"a":1}')
  sender.send('no JSON')
  t.same(await sender.close(), { dropped: 1 })
  t.same(problems, ['Sixpane rejected some log lines: The line is not JSON'])
})

t.test('halves a batch that is too large and sends the halves in order', async t => {
  const { sender, sent } = start([tooLarge, tooLarge, tooLarge])
  for (let id = 0; id < 5; id++) sender.send(`{"id":${id}}`)
  t.same(await sender.close(), { dropped: 1 }, 'a single line cannot be halved')
  t.match(sent().slice(3), [
    ['{"id":1}', /"1 line was dropped/],
    ['{"id":2}', '{"id":3}', '{"id":4}'],
  ])
  t.same(
    sent()
      .slice(3)
      .map(lines => lines.length),
    [2, 3],
  )
})

t.test('a full queue drops new lines and reports the gap', async t => {
  let respond = (_outcome: Outcome) => {}
  const outage = new Promise<Outcome>(resolve => {
    respond = resolve
  })
  const { sender, clock, bodies, sent, problems } = start([outage], { maxBytes: 10_000 })
  sender.send('{"id":-1}')
  clock.pass(200)
  await until(() => bodies.length === 1)
  for (let id = 0; id < 1000; id++) sender.send(`{"id":${id}}`)
  respond(stored)
  const { dropped } = await sender.close()
  const queued = (sent()[1] ?? []).map(line => JSON.parse(line))
  const note = queued.pop()
  t.equal(note.droppedLines, dropped)
  t.same(
    queued.map(({ id }) => id),
    Array.from({ length: 1000 - dropped }, (_, id) => id),
  )
  t.ok(dropped > 800)
  t.same(problems, ['Log lines were dropped: the queue is full'])
})

t.test('does not send a line that is too long', async t => {
  const { sender, sent, problems } = start()
  sender.send(`{"msg":"${'x'.repeat(1024 * 1024)}"}`)
  sender.send('{}')
  t.same(await sender.close(), { dropped: 1 })
  t.match(sent(), [['{}', /"droppedLines":1/]])
  t.same(problems, ['Log lines were dropped: they are longer than 1 MiB'])
})

t.test('close resolves after its timeout, and later lines are not accepted', async t => {
  const { sender, clock, bodies, problems } = start(Array(9).fill(failed))
  sender.send('{"a":1}')
  clock.pass(200)
  await until(() => clock.waits().includes(250))
  sender.send('{"a":2}')
  const closed = sender.close()
  await until(() => bodies.length === 2 && clock.waits().includes(250))
  t.pass('the delays stay short')
  clock.pass(5000)
  t.same(await closed, { dropped: 2 })
  sender.send('{"a":3}')
  t.equal(await sender.close(), await closed)
  t.equal(bodies.length, 2)
  t.same(problems, ['Log lines were dropped: unreachable'])
})

t.test('a batch that always causes a server error does not block later batches forever', async t => {
  const { sender, clock, sent } = start(Array(10).fill({ ...failed, maxAttempts: 10 }))
  sender.send('{"poison":1}')
  const flushed = sender.flush(1e9)
  let isDone = false
  void flushed.then(() => {
    isDone = true
  })
  while (!isDone) {
    await turn()
    clock.pass(30_000)
  }
  sender.send('{"a":2}')
  t.same(await sender.close(), { dropped: 1 })
  t.match(sent()[10], ['{"a":2}', /droppedLines/])
})

t.test('attempts during an outage do not count towards the limit for server errors', async t => {
  const limited: Outcome = { ...failed, maxAttempts: 2 }
  const { sender, clock, bodies } = start([...Array(5).fill(failed), limited])
  sender.send('{"a":1}')
  for (let attempts = 0; attempts < 7; attempts++) {
    clock.pass(30_000)
    await until(() => bodies.length === attempts + 1)
    await until(() => attempts === 6 || clock.waits().length > 0)
  }
  t.same(await sender.close(), { dropped: 0 })
})

t.test(
  'while closing, retries earlier than the server requests, because the process is about to exit',
  async t => {
    const { sender, clock, bodies } = start([{ ...failed, retryAfterMs: 5000 }])
    sender.send('{"a":1}')
    const closed = sender.close()
    await until(() => bodies.length === 1 && clock.waits().includes(750))
    clock.pass(750)
    t.same(await closed, { dropped: 0 })
    t.equal(bodies.length, 2)
  },
)

t.test('flush resolves after its timeout, and drops nothing', async t => {
  const { sender, clock, bodies } = start([failed])
  sender.send('{"a":1}')
  const flushed = sender.flush(100)
  await until(() => bodies.length === 1 && clock.waits().includes(250))
  clock.pass(100)
  await flushed
  t.same(await sender.close(), { dropped: 0 })
})

t.test('ignores an error in onProblem', async t => {
  const { sender } = start([rejected], {
    onProblem() {
      throw new Error('broken')
    },
  })
  sender.send('{}')
  t.same(await sender.close(), { dropped: 1 })
})

t.test('each line is stored once and in order, or counted as dropped', async t => {
  const outcomeName = fc.constantFrom('stored', 'failed', 'response lost', 'too large', 'rejected')
  const step = fc.record({ lines: fc.nat({ max: 5 }), passMs: fc.nat({ max: 2000 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(outcomeName), fc.array(step), async (outcomes, steps) => {
      const server = new Map<string, string[]>()
      const seen = new Map<string, string>()
      let inProgress = 0
      const clock = createClock()
      const sender = createSender(
        { url: 'http://127.0.0.1', onProblem: () => {} },
        {
          timers: clock.timers,
          random: () => 0.5,
          async post(body) {
            inProgress += 1
            if (inProgress > 1) throw new Error('two requests at once')
            await turn()
            inProgress -= 1
            const text = Buffer.from(body.bytes).toString('base64')
            if ((seen.get(body.key) ?? text) !== text) throw new Error('one key for two bodies')
            seen.set(body.key, text)
            const outcome = outcomes.shift() ?? 'stored'
            if (outcome === 'failed') return failed
            if (!server.has(body.key) && outcome === 'too large') return tooLarge
            if (!server.has(body.key) && outcome === 'rejected') return rejected
            server.set(body.key, linesOf(body))
            return outcome === 'response lost' ? failed : stored
          },
        },
      )
      let id = 0
      for (const { lines, passMs } of steps) {
        for (let line = 0; line < lines; line++) sender.send(`{"id":${id++}}`)
        clock.pass(passMs)
        await turn()
      }
      let dropped = -1
      void sender.close(Number.POSITIVE_INFINITY).then(closed => {
        dropped = closed.dropped
      })
      while (dropped === -1) {
        await turn()
        clock.pass(30_000)
      }
      const arrived = [...server.values()].flat().map(line => JSON.parse(line))
      const ids = arrived.flatMap(line => line.id ?? [])
      const reported = arrived.reduce((sum, line) => sum + (line.droppedLines ?? 0), 0)
      t.same(
        ids,
        [...new Set(ids)].toSorted((a, b) => a - b),
      )
      t.equal(ids.length + dropped, id)
      t.ok(reported <= dropped)
    }),
  )
})
