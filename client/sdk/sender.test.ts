import { setImmediate as turn } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import t from 'tap'
import { createSender, type SenderOptions } from './sender.ts'
import type { Body, Outcome } from './sender-post.ts'
import type { Timers } from './sender-timers.ts'

const kept: Outcome = { is: 'kept', rejected: 0, reason: '' }
const failed: Outcome = { is: 'failed', afterMs: 0, mostTries: Number.POSITIVE_INFINITY, reason: 'away' }
const tooLarge: Outcome = { is: 'too large', reason: 'large' }
const refused: Outcome = { is: 'refused', reason: 'no' }

/** Time that stands still until it is moved. */
function createClock() {
  const waiting = new Set<{ atMs: number; call: () => void; holds: boolean }>()
  let nowMs = 1_700_000_000_000
  const timers: Timers = {
    nowMs: () => nowMs,
    after(ms, call, { holds }) {
      const timer = { atMs: nowMs + ms, call, holds }
      waiting.add(timer)
      return () => waiting.delete(timer)
    },
  }
  return {
    timers,
    /** In how many milliseconds each timer goes off, the next first. */
    waits: () => [...waiting].map(({ atMs }) => atMs - nowMs).sort((a, b) => a - b),
    holding: () => [...waiting].filter(({ holds }) => holds).length,
    pass(ms: number) {
      nowMs += ms
      for (const timer of [...waiting].sort((a, b) => a.atMs - b.atMs)) {
        if (timer.atMs > nowMs || !waiting.delete(timer)) continue
        timer.call()
      }
    },
  }
}

/** Waits for what needs turns of the event loop, not time. */
async function until(condition: () => boolean): Promise<void> {
  for (let turns = 0; !condition(); turns++) {
    if (turns > 100_000) throw new Error(`It does not come to ${condition}`)
    await turn()
  }
}

function linesOf({ bytes, isGzip }: Body): string[] {
  const text = (isGzip ? gunzipSync(bytes) : Buffer.from(bytes)).toString()
  return text.slice(0, -1).split('\n')
}

/** A sender to a Sixpane that answers with these outcomes, one a request, then keeps everything. */
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
        return outcomes.shift() ?? kept
      },
    },
  )
  return { sender, clock, bodies, problems, sent: () => bodies.map(linesOf) }
}

t.test('lines gather for a moment, and go in one request', async t => {
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

t.test('many lines do not wait, and one request follows the other', async t => {
  let answer = (_outcome: Outcome) => {}
  const first = new Promise<Outcome>(resolve => {
    answer = resolve
  })
  const { sender, bodies, sent } = start([first])
  const lines = Array.from({ length: 40_000 }, (_, i) => `{"msg":"line ${i}"}`)
  for (const line of lines) sender.send(line)
  await until(() => bodies.length === 1)
  for (let i = 0; i < 10; i++) await turn()
  t.equal(bodies.length, 1, 'the others wait for its answer')
  answer(kept)
  t.same(await sender.close(), { dropped: 0 })
  t.same(sent().flat(), lines)
  t.ok(bodies.length > 2)
  for (const { bytes } of bodies) t.ok(bytes.length < 1024 * 1024)
})

t.test('a batch is tried again until it is kept, as the same bytes', async t => {
  const asked: Outcome = { ...failed, afterMs: 7000 }
  const { sender, clock, bodies, problems } = start([failed, failed, asked, failed])
  sender.send('{"a":1}')
  clock.pass(200)
  // Half of 500 ms, doubled each time; what the server asks for comes before that.
  for (const [tries, waitMs] of [250, 500, 8000, 2000].entries()) {
    await until(() => bodies.length === tries + 1 && clock.waits().length > 0)
    t.same(clock.waits(), [waitMs])
    t.equal(clock.holding(), 0, 'the process may end')
    sender.send(`{"meanwhile":${tries}}`)
    clock.pass(waitMs)
  }
  await sender.flush()
  t.equal(bodies.length, 6)
  t.same(new Set(bodies.slice(0, 5)).size, 1)
  t.same(linesOf(bodies[5] ?? bodies[0] ?? { key: '', bytes: new Uint8Array(), isGzip: false }).length, 4)
  t.notSame(bodies[5]?.key, bodies[0]?.key)
  t.same(problems, ['Lines for Sixpane wait: away'], 'told once')
})

t.test('waits have an end, whatever the server asks for', async t => {
  const { sender, clock, bodies } = start(Array(20).fill({ ...failed, afterMs: 1e12 }))
  sender.send('{}')
  clock.pass(200)
  for (let tries = 1; tries <= 20; tries++) {
    await until(() => bodies.length === tries && clock.waits().length > 0)
    t.ok((clock.waits()[0] ?? 0) <= 330_000)
    clock.pass(330_000)
  }
  t.same(await sender.close(), { dropped: 0 })
})

t.test('no answer is a failure too', async t => {
  const clock = createClock()
  const reasons: unknown[] = []
  const sender = createSender(
    { url: 'http://127.0.0.1' },
    {
      timers: clock.timers,
      random: () => 0.5,
      post: (_body, signal) =>
        new Promise(resolve => {
          if (reasons.length > 0) resolve(kept)
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
  t.match(reasons, [{ message: 'no answer within 30 s' }])
  await until(() => clock.waits().includes(250))
  t.same(await sender.close(), { dropped: 0 })
})

t.test('what is refused is dropped, counted, and told of in the next batch', async t => {
  const { sender, sent, problems } = start([refused, refused])
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
  t.same(problems, ['Lines for Sixpane are lost: no'], 'told once')
})

t.test('lines that Sixpane could not read are counted', async t => {
  const { sender, problems } = start([{ is: 'kept', rejected: 1, reason: 'The line is no JSON' }])
  sender.send('{"a":1}')
  sender.send('no JSON')
  t.same(await sender.close(), { dropped: 1 })
  t.same(problems, ["Sixpane can't read some of the lines: The line is no JSON"])
})

t.test('a batch that is too large is sent in halves, in order', async t => {
  const { sender, sent } = start([tooLarge, tooLarge, tooLarge])
  for (let id = 0; id < 5; id++) sender.send(`{"id":${id}}`)
  t.same(await sender.close(), { dropped: 1 }, 'one line has no halves')
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

t.test('memory is bounded: the newest are dropped, and the gap is told of', async t => {
  let answer = (_outcome: Outcome) => {}
  const outage = new Promise<Outcome>(resolve => {
    answer = resolve
  })
  const { sender, clock, bodies, sent, problems } = start([outage], { mostBytes: 10_000 })
  sender.send('{"id":-1}')
  clock.pass(200)
  await until(() => bodies.length === 1)
  for (let id = 0; id < 1000; id++) sender.send(`{"id":${id}}`)
  answer(kept)
  const { dropped } = await sender.close()
  const waited = (sent()[1] ?? []).map(line => JSON.parse(line))
  const note = waited.pop()
  t.equal(note.droppedLines, dropped)
  t.same(
    waited.map(({ id }) => id),
    Array.from({ length: 1000 - dropped }, (_, id) => id),
  )
  t.ok(dropped > 800)
  t.same(problems, ['Lines for Sixpane are lost: there is no room for them'])
})

t.test('a line that no Sixpane would read is not sent', async t => {
  const { sender, sent } = start()
  sender.send(`{"msg":"${'x'.repeat(1024 * 1024)}"}`)
  sender.send('{}')
  t.same(await sender.close(), { dropped: 1 })
  t.match(sent(), [['{}', /"droppedLines":1/]])
})

t.test('the end has a bound, and takes nothing more', async t => {
  const { sender, clock, bodies, problems } = start(Array(9).fill(failed))
  sender.send('{"a":1}')
  clock.pass(200)
  await until(() => clock.waits().includes(250))
  sender.send('{"a":2}')
  const closed = sender.close()
  await until(() => bodies.length === 2 && clock.waits().includes(250))
  t.pass('it does not wait any longer to try again')
  clock.pass(5000)
  t.same(await closed, { dropped: 2 })
  sender.send('{"a":3}')
  t.equal(await sender.close(), await closed)
  t.equal(bodies.length, 2)
  t.same(problems, ['Lines for Sixpane are lost: away'])
})

t.test('a batch on which the server breaks does not hold up the others for ever', async t => {
  const { sender, clock, sent } = start(Array(10).fill({ ...failed, mostTries: 10 }))
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

t.test('flush gives up waiting, and drops nothing', async t => {
  const { sender, clock, bodies } = start([failed])
  sender.send('{"a":1}')
  const flushed = sender.flush(100)
  await until(() => bodies.length === 1 && clock.waits().includes(250))
  clock.pass(100)
  await flushed
  t.same(await sender.close(), { dropped: 0 })
})

t.test('whoever is told of problems may fail', async t => {
  const { sender } = start([refused], {
    onProblem() {
      throw new Error('broken')
    },
  })
  sender.send('{}')
  t.same(await sender.close(), { dropped: 1 })
})

t.test('whatever happens on the way, each line is kept once and in order, or counted', async t => {
  const happening = fc.constantFrom('kept', 'failed', 'answer lost', 'too large', 'refused')
  const step = fc.record({ lines: fc.nat({ max: 5 }), passMs: fc.nat({ max: 2000 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(happening), fc.array(step), async (happenings, steps) => {
      const server = new Map<string, string[]>()
      const seen = new Map<string, string>()
      let underWay = 0
      const clock = createClock()
      const sender = createSender(
        { url: 'http://127.0.0.1', onProblem: () => {} },
        {
          timers: clock.timers,
          random: () => 0.5,
          async post(body) {
            underWay += 1
            if (underWay > 1) throw new Error('two requests at once')
            await turn()
            underWay -= 1
            const text = Buffer.from(body.bytes).toString('base64')
            if ((seen.get(body.key) ?? text) !== text) throw new Error('one key for two bodies')
            seen.set(body.key, text)
            const happens = happenings.shift() ?? 'kept'
            if (happens === 'failed') return failed
            if (!server.has(body.key) && happens === 'too large') return tooLarge
            if (!server.has(body.key) && happens === 'refused') return refused
            server.set(body.key, linesOf(body))
            return happens === 'answer lost' ? failed : kept
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
      const told = arrived.reduce((sum, line) => sum + (line.droppedLines ?? 0), 0)
      t.same(
        ids,
        [...new Set(ids)].toSorted((a, b) => a - b),
      )
      t.equal(ids.length + dropped, id)
      t.ok(told <= dropped)
    }),
  )
})
