import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { parseServerAddress } from '../../server/store/clickhouse/engine/server-address.ts'
import { openClickHouseStore } from '../../server/store/clickhouse/store.ts'
import type { Store } from '../../server/store/store.ts'
import { paths } from '../../shared/paths.ts'
import { type ReplicaSet, startReplicaSet } from '../test/replica-set.ts'
import type { Check } from './check.ts'

const service = 'shop'
const clients = 4
const linesPerRequest = 50
/** The pause before a request is repeated. Clients repeat each request until it is acknowledged. */
const retryMs = 200

/**
 * Kills a replica, or ClickHouse, at random moments while clients send events through a load balancer and repeat each
 * request, with the same idempotency key, until it is acknowledged. Every event must be stored exactly once, and every new
 * failure must cause exactly one notification.
 */
export const replicas: Check = {
  async run(isShort) {
    const rounds = isShort ? 2 : 50
    const receiver = await startReceiver()
    const set = await startReplicaSet()
    const store = await openStore(set)
    try {
      await store.webhooks.add({
        id: 'webhook',
        name: 'Receiver',
        url: receiver.url,
        secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLawn',
        conditions: { newFailure: true, returnedFailure: true, errorRatio: null },
        createdMs: Date.now(),
      })
      const sending = startSending(set.origin)
      for (let round = 0; round < rounds; round += 1) {
        await sending.acknowledged(clients)
        sending.fail(`round ${round}`)
        await setTimeout(randomInt(500))
        const victim = randomInt(set.clickHouse.restart === null ? 3 : 4)
        if (victim === 3) await set.clickHouse.restart?.()
        else await set.replace(victim)
      }
      await sending.acknowledged(2 * clients)
      const sent = await sending.stop()
      const stored = await countMessages(store)
      const lost = [...sent].filter(message => !stored.has(message)).length
      const repeated = [...stored.values()].filter(count => count > 1).length
      const unknown = [...stored.keys()].filter(message => !sent.has(message)).length
      await receiver.received(rounds)
      const { subjects, ids } = receiver
      return [
        {
          name: `acknowledged events lost, of ${sent.size}, after ${rounds} kills`,
          value: String(lost),
          goal: '0',
          isMet: lost === 0 && sent.size > 0,
        },
        { name: 'events stored more than once', value: String(repeated), goal: '0', isMet: repeated === 0 },
        { name: 'events that nobody sent', value: String(unknown), goal: '0', isMet: unknown === 0 },
        {
          name: 'failures with a notification, and distinct notifications',
          value: `${subjects.size} and ${ids.size}`,
          goal: `${rounds} and ${rounds}`,
          isMet: subjects.size === rounds && ids.size === rounds,
        },
      ]
    } finally {
      await store.close()
      await set.stop()
      await receiver.close()
    }
  },
}

async function openStore({ store }: ReplicaSet): Promise<Store> {
  const address = parseServerAddress(store)
  if (address === null) throw new TypeError('Not a server address')
  return openClickHouseStore(address, { takesLease: false })
}

/** Starts clients that send events, and repeat each request until it is acknowledged. */
function startSending(origin: string) {
  const sent = new Set<string>()
  const failures: string[] = []
  const waiting = new Set<() => void>()
  let isStopped = false
  let requests = 0

  const sendOnce = async (key: string, body: string): Promise<boolean> => {
    const headers = { 'content-type': 'application/x-ndjson', 'idempotency-key': key }
    const response = await fetch(origin + paths.ingest(), { method: 'POST', headers, body }).catch(() => null)
    await response?.arrayBuffer().catch(() => null)
    if (response !== null && response.status >= 400 && response.status < 500 && response.status !== 429)
      throw new Error(`Ingest returned status ${response.status}`)
    return response?.ok === true
  }
  const run = async (client: number) => {
    for (let request = 0; !isStopped || failures.length > 0; request += 1) {
      const messages = Array.from({ length: linesPerRequest }, (_, line) => `${client}-${request}-${line}`)
      const failure = failures.pop()
      const lines = [
        ...messages.map(msg => ({ name: service, msg })),
        ...(failure === undefined ? [] : [failureLine(failure)]),
      ]
      const body = lines.map(line => JSON.stringify(line)).join('\n')
      while (!(await sendOnce(`${client}-${request}`, body))) await setTimeout(retryMs)
      for (const { msg } of lines) sent.add(msg)
      requests += 1
      for (const check of waiting) check()
    }
  }
  const running = Promise.all(Array.from({ length: clients }, (_, client) => run(client)))

  return {
    /** Resolves after `count` more requests are acknowledged. */
    acknowledged: (count: number) =>
      Promise.race([
        running,
        new Promise<void>(resolve => {
          const target = requests + count
          const check = () => {
            if (requests < target) return
            waiting.delete(check)
            resolve()
          }
          waiting.add(check)
        }),
      ]),
    /** Adds a new failure to one of the next requests. */
    fail: (name: string) => void failures.push(name),
    /** Stops the clients once all failures are sent. Returns the messages of all acknowledged events. */
    async stop(): Promise<Set<string>> {
      isStopped = true
      await running
      return sent
    },
  }
}

function failureLine(name: string) {
  const type = `Error${name.replaceAll(/\W/g, '')}`
  const stack = `${type}: broken\n    at ${type}Handler (/app/src/${type}.js:1:1)`
  return { name: service, level: 'error', msg: `failed in ${name}`, err: { type, message: 'broken', stack } }
}

async function countMessages(store: Store): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  const window = { fromMs: Date.now() - 86_400_000, toMs: Date.now() + 86_400_000 }
  const query = { kind: 'field', field: 'service', comparison: '=', value: service } as const
  let before: string | undefined
  do {
    const page = await store.events({ window, query, limit: 1000, before })
    for (const { body } of page.events) counts.set(body, (counts.get(body) ?? 0) + 1)
    before = page.older ?? undefined
  } while (before !== undefined)
  return counts
}

type Message = { metadata: { event_payload: { services: string; fingerprint: string } } }

/** Starts a server that receives webhook messages, and counts those about failures that the clients have sent. */
async function startReceiver() {
  const ids = new Set<string>()
  const subjects = new Set<string>()
  let onReceived = () => {}
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const message: Message = JSON.parse(body)
    const { services, fingerprint } = message.metadata.event_payload
    // A replica also reports its own failures, for example that ClickHouse does not respond.
    if (services === service) {
      ids.add(String(request.headers['webhook-id']))
      subjects.add(fingerprint)
    }
    response.end()
    onReceived()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The receiver has no port')
  return {
    url: `http://127.0.0.1:${address.port}/`,
    ids,
    subjects,
    /** Resolves when messages about `count` failures have arrived, or after a minute. */
    async received(count: number) {
      const timeout = setTimeout(60_000)
      while (subjects.size < count) {
        const next = new Promise<'next'>(resolve => {
          onReceived = () => resolve('next')
        })
        if ((await Promise.race([timeout, next])) !== 'next') return
      }
    },
    async close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
