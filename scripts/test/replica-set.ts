import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ClickHouse, launchClickHouse } from './clickhouse.ts'
import { startLoadBalancer } from './load-balancer.ts'
import { type StartedServer, startServer } from './server.ts'

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

/** @param options.env settings of all servers */
export async function startReplicaSet({
  count = 3,
  env = {},
}: {
  count?: number
  env?: Record<string, string>
} = {}): Promise<ReplicaSet> {
  const folder = await mkdtemp(join(tmpdir(), 'sixpane-clickhouse-'))
  const clickHouse = await launchClickHouse(folder)
  const store = new URL(clickHouse.url)
  store.pathname = `/replicas_${randomUUID().replaceAll('-', '_')}`
  if (clickHouse.restart !== null) store.searchParams.set('tls', 'off')
  const start = () => startServer({ SIXPANE_STORE: store.href, ...env })
  const replicas = await Promise.all(Array.from({ length: count }, start))
  const balancer = await startLoadBalancer(() => replicas.map(({ origin }) => origin))
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
      await clickHouse.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
