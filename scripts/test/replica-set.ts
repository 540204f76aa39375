import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ClickHouse, existingClickHouse, launchClickHouse } from './clickhouse.ts'
import { startLoadBalancer } from './load-balancer.ts'
import { type StartedServer, sendEvents, startServer } from './server.ts'

/** Several servers behind a load balancer, with a new database in ClickHouse. */
export type ReplicaSet = {
  /** The origin of the load balancer. Successive requests reach different servers. */
  origin: string
  /** The value of `SIXPANE_STORE`. */
  store: string
  clickHouse: ClickHouse
  replicas: readonly StartedServer[]
  /** Kills a server with SIGKILL, and starts another one in its place. */
  replace(index: number): Promise<void>
  stop(): Promise<void>
}

export const replicaCount = 3

/**
 * @param options.env settings of all servers. The load balancer listens on `PORT`
 * @param options.clickHouse a running server, which `stop` does not stop; default: a new server
 */
export async function startReplicaSet(
  options: { env?: Record<string, string>; clickHouse?: ClickHouse } = {},
): Promise<ReplicaSet> {
  const { env = {} } = options
  const folder = await mkdtemp(join(tmpdir(), 'sixpane-clickhouse-'))
  const clickHouse = options.clickHouse ?? (await launchClickHouse(folder))
  const store = new URL(clickHouse.url)
  store.pathname = `/replicas_${randomUUID().replaceAll('-', '_')}`
  const start = () => startServer({ ...env, SIXPANE_STORE: store.href, PORT: '0' })
  const replicas = await Promise.all(Array.from({ length: replicaCount }, start))
  const balancer = await startLoadBalancer(() => replicas.map(({ origin }) => origin), Number(env.PORT ?? 0))
  return {
    origin: balancer.origin,
    store: store.href,
    clickHouse,
    replicas,
    async replace(index) {
      await replicas[index]?.kill()
      replicas[index] = await start()
    },
    async stop() {
      await balancer.close()
      await Promise.all(replicas.map(replica => replica.stop()))
      if (options.clickHouse === undefined) await clickHouse.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Starts replicas that behave like one server, for browser tests. Uses the ClickHouse server at `url`. */
export async function startReplicasAsServer(url: URL, env: Record<string, string>): Promise<StartedServer> {
  const set = await startReplicaSet({ env, clickHouse: existingClickHouse(url) })
  const [first] = set.replicas
  if (first === undefined) throw new Error('No replica was started')
  return {
    origin: set.origin,
    process: first.process,
    get lines() {
      return set.replicas.flatMap(({ lines }) => lines)
    },
    line: matches => Promise.race(set.replicas.map(replica => replica.line(matches))),
    send: (...events) => sendEvents(set.origin, events),
    async stop() {
      await set.stop()
      return first.process.exitCode
    },
    async kill() {
      await Promise.all(set.replicas.map(replica => replica.kill()))
    },
  }
}
