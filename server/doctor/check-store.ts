import type { Stats } from 'node:fs'
import { access, constants, readdir, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode } from '../../shared/error-code.ts'
import { formatBytes, formatDuration, pluralise } from '../../shared/format.ts'
import type { Config } from '../settings/config.ts'
import { inspectStore, type StoreInspection } from '../store/duckdb/inspect.ts'
import { StoreUnavailableError } from '../store/store.ts'
import { checkEndpoint } from './check-endpoint.ts'
import { type Finding, ok, problem, warning } from './finding.ts'
import { retentionLimit } from './retention-limit.ts'

type StoreConfig = Pick<Config, 'dataFolder' | 'retentionGigabytes'>

/** The clock may have been corrected by this much since the newest event was accepted. */
const maxSkewMs = 1000

/** Checks the data folder and, if Sixpane is not running, DuckDB's files in it. */
export async function checkStore(config: StoreConfig, isRunning: boolean, nowMs: number): Promise<Finding[]> {
  const { dataFolder } = config
  try {
    await readdir(dataFolder)
  } catch (error) {
    return [await missingFolder(dataFolder, errorCode(error), isRunning)]
  }
  const folder = [
    ...(await readableByOthers(dataFolder)),
    ...(await notWritable(dataFolder)),
    ...(await damagedFiles(dataFolder)),
  ]
  if (isRunning) return [...folder, await space(config, null)]
  try {
    const found = await inspectStore(dataFolder)
    const text = `${pluralise(found.events, 'event')} can be read`
    return [
      ...folder,
      await space(config, found.settings),
      ok('Store', text),
      ...checkClock(found.newestAcceptedMs, nowMs, maxSkewMs),
      ...(await checkWebhooks(found.webhooks)),
    ]
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error
    return [...folder, await space(config, null), problem('Store', error.message)]
  }
}

/** A missing folder is not a problem if Sixpane can create it. */
async function missingFolder(folder: string, code: string | null, isRunning: boolean): Promise<Finding> {
  if (code === 'ENOTDIR')
    return problem('Store', `${folder} is a file, or inside one. Set SIXPANE_DATA to a folder`)
  if (code !== 'ENOENT')
    return problem(
      'Store',
      `${folder} cannot be read${code === null ? '' : ` (${code})`}. Give this user read and write permission`,
    )
  // The command's default folder differs from that of `npm start`.
  if (isRunning)
    return warning(
      'Store',
      `${folder} does not exist, so the running server uses another folder, which was not checked. Set SIXPANE_DATA to the folder that the server uses`,
    )
  let parent = dirname(folder)
  while ((await statOf(parent)) === null && parent !== dirname(parent)) parent = dirname(parent)
  const isCreatable = (await isWritable(parent)) && !/^\/(?:proc|sys)(?:\/|$)/.test(parent)
  return isCreatable
    ? ok('Store', `${folder} does not exist yet. Sixpane creates it when it starts`)
    : problem(
        'Store',
        `${folder} does not exist and cannot be created in ${parent}. Set SIXPANE_DATA to another folder`,
      )
}

function isWritable(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
}

async function notWritable(folder: string): Promise<Finding[]> {
  return (await isWritable(folder))
    ? []
    : [problem('Store', `${folder} is not writable. Give this user write permission`)]
}

async function readableByOthers(folder: string): Promise<Finding[]> {
  const entries = await readdir(folder)
  const files = await Promise.all(
    entries.filter(name => name.endsWith('.duckdb')).map(name => statOf(join(folder, name))),
  )
  return files.some(file => file !== null && (file.mode & 0o077) !== 0)
    ? [
        warning(
          'Store',
          `Other users of this machine can read the events in ${folder}. Run chmod -R go= ${folder}`,
        ),
      ]
    : []
}

async function damagedFiles(folder: string): Promise<Finding[]> {
  const damaged = await readdir(join(folder, 'damaged')).catch(() => [])
  return damaged.length === 0
    ? []
    : [
        warning(
          'Store',
          `Damaged files were set aside in ${join(folder, 'damaged')}, and their events are missing. Restore a backup, or delete the folder if you do not need them`,
        ),
      ]
}

/** @param settings the settings in the store; `null` if another process uses it, or if it cannot be read */
async function space(config: StoreConfig, settings: StoreInspection['settings'] | null): Promise<Finding> {
  const { bavail, bsize } = await statfs(config.dataFolder)
  const freeBytes = bavail * bsize
  const availableBytes = (await storeBytes(config.dataFolder)) + freeBytes
  const { limitBytes, advice } = retentionLimit(settings, config)
  if (limitBytes <= availableBytes) return ok('Disk', `${formatBytes(freeBytes)} is free`)
  const finding = settings === null ? warning : problem
  return finding(
    'Disk',
    `Retention allows ${formatBytes(limitBytes)} of events, but the disk has space for only ${formatBytes(availableBytes)}. When it is full, events are rejected. ${advice(availableBytes)}, or use a larger disk`,
  )
}

/** The size of the store's files. Other files, such as backups and damaged files, are not deleted by retention. */
async function storeBytes(folder: string): Promise<number> {
  const names = await readdir(folder)
  const files = await Promise.all(
    names.filter(name => /\.duckdb(\.wal)?$/.test(name)).map(name => statOf(join(folder, name))),
  )
  return files.reduce((sum, file) => sum + (file?.size ?? 0), 0)
}

/** Returns `null` for a file that cannot be read, because a running server may delete files during the checks. */
function statOf(path: string): Promise<Stats | null> {
  return stat(path).catch(() => null)
}

/**
 * Acceptance times come from Sixpane's clock, so a time in the future shows that the clock was or is wrong.
 * @param maxSkewMs how far the clocks of Sixpane and this process may differ
 */
export function checkClock(newestAcceptedMs: number | null, nowMs: number, maxSkewMs: number): Finding[] {
  const aheadMs = (newestAcceptedMs ?? 0) - nowMs
  if (aheadMs < maxSkewMs) return [ok('Clock', 'No event has an acceptance time in the future')]
  return [
    problem(
      'Clock',
      `The newest event was accepted ${formatDuration(aheadMs)} in the future, so the clock was wrong then or is wrong now: it shows ${new Date(nowMs).toISOString()}. Synchronise it, for example with chrony`,
    ),
  ]
}

export async function checkWebhooks(webhooks: StoreInspection['webhooks']): Promise<Finding[]> {
  const advice = 'Nobody is notified. Check the address on /settings, DNS and the firewall'
  return Promise.all(webhooks.map(({ name, url }) => checkEndpoint('Webhook', { name, url, advice })))
}
