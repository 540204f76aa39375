import { formatBytes, formatDuration, pluralise } from '../../shared/format.ts'
import { isLoopbackUrl } from '../settings/addresses.ts'
import type { Config } from '../settings/config.ts'
import type { ServerAddress } from '../store/clickhouse/engine/server-address.ts'
import { inspectClickHouse, type ServerInspection } from '../store/clickhouse/inspect.ts'
import { StoreUnavailableError } from '../store/store.ts'
import { checkClock, checkWebhooks } from './check-store.ts'
import { type Finding, ok, problem, warning } from './finding.ts'
import { retentionLimit } from './retention-limit.ts'

const check = 'Store'
/** Synchronised clocks differ by less than this. */
const maxSkewMs = 2000

/** Checks the ClickHouse server, and what Sixpane has stored in the database. */
export async function checkClickHouse(
  address: ServerAddress,
  config: Pick<Config, 'retentionGigabytes'>,
  nowMs = Date.now,
): Promise<Finding[]> {
  const findings = unencrypted(address)
  try {
    const found = await inspectClickHouse(address, nowMs)
    return [
      ...findings,
      ...privileges(found, address),
      ...stored(found, address),
      ...clock(found),
      ...space(found, config),
      ...(await checkWebhooks(found.tables?.webhooks ?? [])),
    ]
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error
    return [...findings, problem(check, error.message)]
  }
}

function unencrypted({ url }: ServerAddress): Finding[] {
  const { protocol, hostname, host } = new URL(url)
  if (protocol === 'https:' || isLoopbackUrl({ hostname })) return []
  return [
    warning(
      check,
      `The password and the events are sent to ${host} without encryption. Remove tls=off from SIXPANE_STORE, unless the network is private`,
    ),
  ]
}

function privileges(
  { missingPrivileges, missingClusterPrivileges, tables }: ServerInspection,
  { database }: ServerAddress,
): Finding[] {
  const findings: Finding[] = []
  if (missingPrivileges.length > 0)
    findings.push(
      problem(
        check,
        `The ClickHouse user lacks privileges. Grant it ${missingPrivileges.join(', ')} on all tables of the database ${database}`,
      ),
    )
  if (missingClusterPrivileges.length > 0)
    findings.push(
      problem(
        check,
        `The ClickHouse user lacks privileges for a cluster. Grant it ${missingClusterPrivileges.join(', ')} on *.*`,
      ),
    )
  if (tables?.eventBytes === null && !tables.isNewer)
    findings.push(
      problem(
        check,
        'The ClickHouse user cannot read system.parts, so Sixpane cannot delete the oldest events when they use too much space. Grant it SELECT on system.parts',
      ),
    )
  return findings
}

function stored({ hasDatabase, tables, version }: ServerInspection, { database }: ServerAddress): Finding[] {
  if (!hasDatabase)
    return [ok(check, `The database ${database} does not exist yet. Sixpane creates it when it starts`)]
  if (tables === null)
    return [
      ok(check, `The database ${database} has no Sixpane tables yet. Sixpane creates them when it starts`),
    ]
  if (tables.isNewer)
    return [
      problem(
        check,
        `The database ${database} was written by a newer version of Sixpane. Start that version, or use another database`,
      ),
    ]
  return [ok(check, `${pluralise(tables.events, 'event')} can be read in ClickHouse ${version}`)]
}

function clock({ serverMs, requestedMs, tables }: ServerInspection): Finding[] {
  const aheadMs = serverMs - requestedMs
  if (Math.abs(aheadMs) > maxSkewMs)
    return [
      problem(
        'Clock',
        `The clock of the ClickHouse server is ${formatDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine’s. Events will have wrong times, and Sixpane servers that share this database could disagree about the time. Synchronise both clocks, for example with chrony`,
      ),
    ]
  return checkClock(tables?.newestAcceptedMs ?? null, tables?.readMs ?? requestedMs, maxSkewMs)
}

function space(
  { freeBytes, tables }: ServerInspection,
  config: Pick<Config, 'retentionGigabytes'>,
): Finding[] {
  if (freeBytes === null) return []
  const availableBytes = freeBytes + (tables?.eventBytes ?? 0)
  const { limitBytes, advice } = retentionLimit(tables?.settings ?? [], config)
  if (availableBytes >= limitBytes)
    return [ok('Disk', `${formatBytes(freeBytes)} is free on the disks of ClickHouse`)]
  return [
    problem(
      'Disk',
      `Retention allows ${formatBytes(limitBytes)} of events, but the disks of ClickHouse have space for only ${formatBytes(availableBytes)}. When they are full, events are rejected. ${advice(availableBytes)}, or use larger disks`,
    ),
  ]
}
