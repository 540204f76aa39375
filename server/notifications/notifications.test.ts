import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import type { FailureRow } from '../../shared/failure.ts'
import { reservePort } from '../../shared/testing/reserve-port.ts'
import { until } from '../../shared/testing/until.ts'
import type { FailureAlert } from '../failures/alert.ts'
import { anEvent } from '../store/conformance/testing.ts'
import { openMemoryStore } from '../store/memory/store.ts'
import type { Listener } from '../store/replicas.ts'
import { QueryLimitError, type Store } from '../store/store.ts'
import type { Webhook } from '../store/webhook-store.ts'
import type { Channel } from './channel.ts'
import { errorRatioNotices } from './error-ratio.ts'
import { describeNotice } from './notice.ts'
import { createNotifications } from './notifications.ts'
import { createSigningKey } from './webhook/sign.ts'
import { webhookChannel } from './webhook/webhook.ts'

const hourMs = 3_600_000
const noonMs = Date.UTC(2026, 10, 21, 12)

type Received = { headers: IncomingHttpHeaders; body: string }

/** Starts a receiver that sends these responses, one per request, and then only status 200. */
async function receiver(
  t: Test,
  responses: { status: number; headers?: Record<string, string>; body?: string }[] = [],
) {
  const received: Received[] = []
  let onRequest = () => {}
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', chunk => {
      body += chunk
    })
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      const { status, headers, body: text } = responses.shift() ?? { status: 200 }
      response.writeHead(status, headers).end(text)
      onRequest()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    async waitForRequests(count: number) {
      while (received.length < count) {
        await new Promise<void>(resolve => {
          onRequest = resolve
        })
      }
    },
  }
}

async function setUp(
  t: Test,
  url: string,
  conditions: Partial<Webhook['conditions']> = {},
  channel: Channel = webhookChannel(fetch),
) {
  const opened = openMemoryStore()
  t.teardown(() => opened.close())
  const store = { ...opened, replicas: { ...opened.replicas } }
  const clock = { nowMs: noonMs }
  const logged: string[] = []
  const reasons: string[] = []
  const logger = pino(
    {},
    {
      write(line) {
        const { msg, reason } = JSON.parse(line)
        logged.push(msg)
        if (reason !== undefined) reasons.push(reason)
      },
    },
  )
  const webhook: Webhook = {
    id: 'w1',
    name: 'Chat',
    url,
    secret: createSigningKey(),
    conditions: { newFailure: true, returnedFailure: true, errorRatio: null, ...conditions },
    createdMs: noonMs,
  }
  await store.webhooks.add(webhook)
  const start = () => {
    const notifications = createNotifications({
      store,
      channel,
      config: { publicOrigin: 'https://logs.example' },
      logger,
      nowMs: () => clock.nowMs,
    })
    t.teardown(() => notifications.stop())
    return notifications
  }
  /** Waits until the newest message has at least this number of attempts. */
  const attempted = async (attempts: number) => {
    const [newest] = await until(
      () => store.webhooks.deliveries('w1', 1),
      ([each]) => each !== undefined && each.attempts >= attempts,
    )
    if (newest === undefined) throw new Error('There is no message')
    return newest
  }
  return { store, clock, logged, reasons, webhook, start, attempted }
}

function aFailure(overrides: Partial<FailureRow> = {}): FailureRow {
  return {
    id: '0123456789',
    type: 'PaymentError',
    message: 'card <declined> & gone',
    route: null,
    release: null,
    digests: ['2338471'],
    services: ['shop'],
    releases: ['1.4.0'],
    count: 1,
    firstSeenMs: noonMs,
    lastSeenMs: noonMs,
    sparkline: [],
    ...overrides,
  } as FailureRow
}

function anAlert(overrides: Partial<FailureAlert> = {}): FailureAlert {
  return { kind: 'new', failure: aFailure(), service: 'shop', release: null, atMs: noonMs, ...overrides }
}

t.test('a new failure triggers a webhook message with a signature, text and metadata', async t => {
  const chat = await receiver(t)
  const { webhook, start, attempted } = await setUp(t, chat.url)
  await start().notify(anAlert({ release: '1.4.0' }))
  await chat.waitForRequests(1)
  t.match(await attempted(1), { status: 200, problem: null, nextMs: null })
  const [{ headers, body } = { headers: {}, body: '' }] = chat.received
  t.equal(headers['content-type'], 'application/json')
  const key = Buffer.from(webhook.secret.slice('whsec_'.length), 'base64')
  t.equal(key.length, 32)
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  t.equal(headers['webhook-signature'], `v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
  t.equal(headers['webhook-timestamp'], String(noonMs / 1000))
  const message = JSON.parse(body)
  t.match(message.text, /New failure in shop 1\.4\.0/)
  t.match(message.text, 'card &lt;declined&gt; &amp; gone')
  t.match(message.text, '<https://logs.example/development?failure=0123456789|')
  t.match(message.blocks, [{ type: 'section', text: { type: 'mrkdwn', text: message.text, verbatim: true } }])
  t.match(message.metadata, {
    event_type: 'failure.new',
    event_payload: {
      fingerprint: '0123456789',
      exception_type: 'PaymentError',
      release: '1.4.0',
      digest: '2338471',
      time: '2026-11-21T12:00:00.000Z',
    },
  })
})

t.test('a webhook gets only messages that match its conditions', async t => {
  const { start, store, webhook } = await setUp(t, (await receiver(t)).url)
  const conditions = { newFailure: false, returnedFailure: false, errorRatio: null }
  await store.webhooks.add({ ...webhook, id: 'w2', conditions })
  const { notify } = start()
  await notify(anAlert())
  await notify(anAlert({ kind: 'returned' }))
  t.same(await store.webhooks.deliveries('w2', 10), [])
})

t.test('each return of a failure is reported, even within an hour after other messages about it', async t => {
  const { clock, start, store } = await setUp(t, (await receiver(t)).url)
  const { notify } = start()
  await notify(anAlert())
  for (const minutes of [31, 50]) {
    clock.nowMs = noonMs + minutes * 60_000
    await notify(anAlert({ kind: 'returned', atMs: clock.nowMs }))
  }
  t.same(
    (await store.webhooks.deliveries('w1', 10)).map(({ kind }) => kind),
    ['returned', 'returned', 'new'],
  )
})

t.test(
  'a message about an occurrence is sent once, even if another process repeats the work hours later',
  async t => {
    const chat = await receiver(t)
    const { clock, start, store, attempted } = await setUp(t, chat.url)
    const killed = start()
    await killed.notify(anAlert())
    await attempted(1)
    await killed.stop()
    clock.nowMs += 2 * hourMs
    await start().notify(anAlert())
    t.equal((await store.webhooks.deliveries('w1', 10)).length, 1)
    await start().notify(anAlert({ atMs: clock.nowMs }))
    t.equal(
      (await store.webhooks.deliveries('w1', 10)).length,
      2,
      'another occurrence causes another message',
    )
  },
)

t.test(
  'only the replica with the lease delivers messages, but each replica sends its own test messages',
  async t => {
    const chat = await receiver(t)
    const { store, webhook, start, clock } = await setUp(t, chat.url)
    let lease: AbortSignal | null = null
    const listeners: Listener[] = []
    store.replicas.lease = () => lease
    store.replicas.onLease = listener => {
      listeners.push(listener)
      return () => {}
    }
    const notifications = start()
    await notifications.notify(anAlert())
    await notifications.test(webhook)
    t.same(
      chat.received.map(({ body }) => JSON.parse(body).metadata.event_type),
      ['test'],
    )
    clock.nowMs += hourMs
    lease = new AbortController().signal
    for (const listener of listeners) void listener()
    await chat.waitForRequests(2)
    t.equal(JSON.parse(chat.received[1]?.body ?? '').metadata.event_type, 'failure.new')
  },
)

t.test('a message about a failure with long names has a length that Slack accepts', async t => {
  const chat = await receiver(t)
  const { start } = await setUp(t, chat.url)
  const failure = aFailure({ message: '<order><item id="1">'.repeat(100) })
  const service = 'payments-worker-'.repeat(100)
  await start().notify(anAlert({ kind: 'returned', failure, service, release: '1.4.0-'.repeat(100) }))
  await chat.waitForRequests(1)
  const { text } = JSON.parse(chat.received[0]?.body ?? '').blocks[0].text
  t.match(text, /returned in payments-worker-payments-.*… 1\.4\.0-1\.4\.0-.*…/)
  t.ok(text.length <= 3000, `${text.length} characters`)
})

t.test('a message names the service in which a failure occurred, next to its release', t => {
  const alert = anAlert({
    failure: aFailure({ services: ['api', 'worker'] }),
    service: 'worker',
    release: '2.0.0',
  })
  t.match(describeNotice({ ...alert, kind: 'returned' }), {
    headline: 'A resolved failure returned in worker 2.0.0',
    facts: { service: 'worker', release: '2.0.0', services: 'api, worker' },
  })
  t.equal(describeNotice({ ...alert, release: null }).headline, 'New failure in worker')
  t.end()
})

t.test('the channel formats messages and delivers them', async t => {
  const delivered: unknown[] = []
  const channel: Channel = {
    format: (kind, { headline }, origin) => `${kind}: ${headline} (${origin})`,
    async attempt({ name }, { body }) {
      delivered.push([name, body])
      return { status: null, problem: null, retryAfterMs: null }
    },
  }
  const { start, webhook } = await setUp(t, 'unused', {}, channel)
  await start().test(webhook)
  t.same(delivered, [['Chat', 'test: Test message from Sixpane (https://logs.example)']])
})

t.test('retries a failed message with the same id, and abandons it after the last attempt', async t => {
  const chat = await receiver(t, [
    { status: 500, body: 'out of order' },
    { status: 429, headers: { 'retry-after': '600' } },
    ...Array.from({ length: 4 }, () => ({ status: 503 })),
  ])
  const { clock, start, attempted, logged } = await setUp(t, chat.url)
  const first = start()
  await first.notify(anAlert())
  const failed = await attempted(1)
  t.match(failed, { status: 500, problem: 'HTTP 500: out of order' })
  t.equal(failed.nextMs, clock.nowMs + 10_000)
  await first.stop()

  for (let attempt = 2; attempt <= 6; attempt += 1) {
    const { nextMs } = await attempted(attempt - 1)
    clock.nowMs = Number(nextMs)
    // Simulates a new process for each attempt.
    const next = start()
    const outcome = await attempted(attempt)
    if (attempt === 2) t.equal(outcome.nextMs, clock.nowMs + 600_000, 'Retry-After')
    await next.stop()
  }
  t.match(await attempted(6), { nextMs: null, problem: 'HTTP 503' })
  t.equal(new Set(chat.received.map(({ headers }) => headers['webhook-id'])).size, 1)
  t.match(logged, ['Gave up delivering to a webhook'])
})

t.test('a receiver that does not respond does not delay messages to other receivers', async t => {
  const delivered: string[] = []
  let isComplete = () => {}
  const complete = new Promise<void>(resolve => {
    isComplete = resolve
  })
  const channel: Channel = {
    format: (_kind, { subject }) => subject,
    attempt({ id }, { body }, _nowMs, signal) {
      const result = { status: 200, problem: null, retryAfterMs: null }
      if (id === 'w1') {
        return new Promise(resolve => {
          const stop = () => resolve({ ...result, problem: 'Stopped' })
          if (signal.aborted) stop()
          else signal.addEventListener('abort', stop)
        })
      }
      delivered.push(body)
      if (delivered.length === 21) isComplete()
      return Promise.resolve(result)
    },
  }
  const { start, store, webhook } = await setUp(t, 'unused', {}, channel)
  await store.webhooks.add({ ...webhook, id: 'w2', name: 'Pager' })
  const notifications = start()
  const notify = (id: string) => notifications.notify(anAlert({ failure: aFailure({ id }) }))
  const ids = Array.from({ length: 20 }, (_, index) => `f${index}`)
  for (const id of ids) await notify(id)
  await notify('while waiting')
  await complete
  t.same(delivered.toSorted(), [...ids, 'while waiting'].toSorted())
})

t.test('a message to a webhook that was removed in the meantime is abandoned', async t => {
  const chat = await receiver(t)
  const { start, store } = await setUp(t, chat.url)
  const message = {
    id: 'm1',
    kind: 'new',
    subject: 'f1',
    body: '{}',
    createdMs: noonMs,
    nextMs: noonMs,
  } as const
  await store.webhooks.enqueue([{ ...message, webhookId: 'removed' }], 0)
  await start().notify(anAlert())
  await chat.waitForRequests(1)
  await until(async () => (await store.webhooks.nextDueMs()) === null)
  t.match(await store.webhooks.deliveries('removed', 1), [{ problem: 'The webhook was removed' }])
})

t.test('while the store fails, messages are not sent again immediately', async t => {
  const chat = await receiver(t)
  const { start, store, logged } = await setUp(t, chat.url)
  store.webhooks = { ...store.webhooks, recordAttempt: () => Promise.reject(new Error('full')) }
  await start().notify(anAlert())
  await until(() => logged.length > 0)
  for (let turn = 0; turn < 50; turn += 1) await new Promise(resolve => setImmediate(resolve))
  t.match(logged[0], 'Failed to deliver to webhooks')
  t.ok(chat.received.length <= 2, 'at most one run per wake-up: at the start, and for the message')
})

t.test('at most the first 200 bytes of an error response are stored', async t => {
  const chat = await receiver(t, [{ status: 500, body: `${'x'.repeat(200)}${'y'.repeat(100_000)}` }])
  const { start, attempted } = await setUp(t, chat.url)
  await start().notify(anAlert())
  t.equal((await attempted(1)).problem, `HTTP 500: ${'x'.repeat(200)}`)
})

t.test('the log contains the reason for giving up, but not the text of the response', async t => {
  const chat = await receiver(t, [{ status: 410, body: 'No webhook with the token s3cr3t' }])
  const { start, attempted, reasons } = await setUp(t, chat.url)
  await start().notify(anAlert())
  t.match(await attempted(1), { problem: 'HTTP 410: No webhook with the token s3cr3t' })
  await until(() => reasons.length > 0)
  const closed = await setUp(t, `http://127.0.0.1:${await reservePort(t)}/hook`)
  await closed.start().test(closed.webhook)
  t.same([...reasons, ...closed.reasons], ['HTTP 410', 'The connection failed: ECONNREFUSED'])
})

t.test('does not retry after a 410 response, and does not follow redirects', async t => {
  const gone = await receiver(t, [{ status: 410 }])
  const { start, attempted } = await setUp(t, gone.url)
  await start().notify(anAlert())
  t.match(await attempted(1), { status: 410, nextMs: null })

  const elsewhere = await receiver(t)
  const redirecting = await receiver(t, [{ status: 307, headers: { location: elsewhere.url } }])
  const other = await setUp(t, redirecting.url)
  await other.start().notify(anAlert())
  t.match(await other.attempted(1), { status: 307, problem: /307/ })
  t.same(elsewhere.received, [])
})

t.test('`test` sends a message immediately and resolves after storing the result', async t => {
  const chat = await receiver(t, [{ status: 200 }, { status: 404, body: 'no_service' }])
  const { start, webhook, store } = await setUp(t, chat.url)
  const notifications = start()
  await notifications.test(webhook)
  t.match(await store.webhooks.deliveries('w1', 5), [{ kind: 'test', status: 200, problem: null }])
  await notifications.test(webhook)
  t.match((await store.webhooks.deliveries('w1', 5)).map(({ status }) => status).toSorted(), [200, 404])
  t.equal(chat.received.length, 2, 'a failed test is not retried')
  const nowhere = await setUp(t, `http://127.0.0.1:${await reservePort(t)}/hook`)
  await nowhere.start().test(nowhere.webhook)
  t.match(await nowhere.store.webhooks.deliveries('w1', 5), [
    { status: null, problem: 'The connection failed: ECONNREFUSED' },
  ])
})

function requests(service: string, total: number, failed: number) {
  return Array.from({ length: total }, (_, index) =>
    anEvent({ timeMs: noonMs - 60_000, service, status: index < failed ? 500 : 200, durationMs: 5 }),
  )
}

t.test('an error rate above the limit causes a notice if there are enough requests', async t => {
  const chat = await receiver(t)
  const { store, webhook } = await setUp(t, chat.url, { errorRatio: { above: 0.1, overMinutes: 5 } })
  await store.append([
    ...requests('shop', 100, 11),
    ...requests('calm', 100, 10),
    ...requests('tiny', 19, 19),
    ...requests('earlier', 50, 50).map(event => ({ ...event, timeMs: noonMs - 5 * 60_000 - 1 })),
  ])
  const notices = await errorRatioNotices(store, webhook.conditions, noonMs)
  t.match(notices, [{ service: 'shop', requests: 100, errors: 11 }])
  t.equal(notices.length, 1)
  t.match(describeNotice(notices[0] ?? { kind: 'test', webhook: '' }), {
    subject: 'service shop',
    headline: '11.0% of requests to shop failed',
    lines: ['11 of 100 in the 5 minutes before 2026-11-21 12:00:00 UTC, which is more than 10%.'],
    href: '/activities?q=service:shop+status:%3E%3D500+duration:*&from=2026-11-21T11:55Z&to=2026-11-21T12:00Z',
    facts: {
      from: '2026-11-21T11:55:00.000Z',
      to: '2026-11-21T12:00:00.000Z',
      time: '2026-11-21T12:00:00.000Z',
    },
  })
})

t.test('the services with the most failed requests come first', async t => {
  const { store, webhook } = await setUp(t, 'unused', { errorRatio: { above: 0.1, overMinutes: 5 } })
  await store.append([
    ...requests('a', 20, 20),
    ...requests('b', 20, 20),
    ...requests('shop', 100, 30),
    ...requests('worse', 50, 31),
  ])
  t.match(
    (await errorRatioNotices(store, webhook.conditions, noonMs)).map(({ service }) => service),
    ['worse', 'shop', 'a', 'b'],
  )
})

/** Starts notifications. `check` starts a check of the error rates, and waits until it has made this many queries. */
function startChecks({ store, start }: Awaited<ReturnType<typeof setUp>>, services: Store['services']) {
  let queried = 0
  store.services = async (...args) => {
    queried += 1
    return services(...args)
  }
  const listeners: Listener[] = []
  store.replicas.onLease = listener => {
    listeners.push(listener)
    return () => {}
  }
  const { stop } = start()
  return {
    stop,
    async check(queries = 1) {
      const before = queried
      for (const listener of listeners) void listener()
      await until(() => queried >= before + queries)
    },
  }
}

t.test('a query that exceeds a limit affects only its own webhook, and is logged once', async t => {
  const chat = await receiver(t)
  const setup = await setUp(t, chat.url, { errorRatio: { above: 0.1, overMinutes: 1440 } })
  const { store, webhook, logged } = setup
  const conditions = { ...webhook.conditions, errorRatio: { above: 0.1, overMinutes: 5 } }
  await store.webhooks.add({ ...webhook, id: 'w2', conditions, createdMs: noonMs + 1 })
  await store.append(requests('shop', 100, 11))
  const { services } = store
  const { check, stop } = startChecks(setup, (window, ...rest) => {
    if (window.toMs - window.fromMs > hourMs) throw new QueryLimitError('The query took too long')
    return services(window, ...rest)
  })
  for (let run = 0; run < 3; run += 1) await check(2)
  await stop()
  t.match(await store.webhooks.deliveries('w2', 10), [{ kind: 'ratio', subject: 'service shop' }])
  t.same(logged, ['Failed to check the error rates for a webhook'])
})

t.test(
  'a webhook gets at most 50 messages about error rates in ten minutes, even after a restart',
  async t => {
    const channel: Channel = {
      format: (_kind, { subject }) => subject,
      attempt: async () => ({ status: 200, problem: null, retryAfterMs: null }),
    }
    const setup = await setUp(t, 'unused', { errorRatio: { above: 0.1, overMinutes: 5 } }, channel)
    const { store, webhook, clock, logged } = setup
    await store.webhooks.add({ ...webhook, id: 'w2', createdMs: noonMs + 1 })
    await store.append(requests('shop', 100, 11))
    const [shop] = await store.services({ fromMs: noonMs - hourMs, toMs: noonMs }, hourMs)
    if (shop === undefined) throw new Error('The store returned no services')
    const failing = Array.from({ length: 120 }, (_, index) => {
      return { ...shop, service: `s${index}`, requests: 200, errors: 21 + index }
    })
    const sent = async (id = 'w1') =>
      (await store.webhooks.deliveries(id, 1000, 'ratio')).map(({ subject }) => subject)
    const start = () => startChecks(setup, async () => failing)
    const first = start()
    await first.check(2)
    await until(async () => (await sent('w2')).length === 50)
    t.same(new Set(await sent()), new Set(failing.slice(70).map(({ service }) => `service ${service}`)))
    clock.nowMs += 9 * 60_000
    await first.check(2)
    await first.stop()
    t.equal((await sent()).length, 50)
    t.same(logged, ['Too many high error rates at once; some do not trigger a webhook'])

    const checkOnce = async () => {
      const { check, stop } = start()
      await check(2)
      await stop()
      return new Set(await sent()).size
    }
    t.equal(await checkOnce(), 50)
    clock.nowMs += 60_000
    t.equal(await checkOnce(), 100, 'services with a message in the last hour do not count')
    clock.nowMs += 10 * 60_000
    t.equal(await checkOnce(), 120)
    t.equal((await sent('w2')).length, 120)
  },
)

t.test('failed checks of the error rates are logged once, and so is the end of the outage', async t => {
  const setup = await setUp(t, 'unused', { errorRatio: { above: 0.1, overMinutes: 5 } })
  let isOutage = true
  const { check, stop } = startChecks(setup, async () => {
    if (isOutage) throw new Error('The database is unavailable')
    return []
  })
  for (let run = 0; run < 3; run += 1) await check()
  isOutage = false
  await check()
  await stop()
  t.same(setup.logged, ['Failed to check error rates', 'Resumed checking error rates'])
})
