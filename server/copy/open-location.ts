import { readdir, realpath } from 'node:fs/promises'
import { errorCode } from '../../shared/error-code.ts'
import type { Environment } from '../settings/setting.ts'
import type { ServerAddress } from '../store/clickhouse/engine/server-address.ts'
import { inspectClickHouse } from '../store/clickhouse/inspect.ts'
import { inspectStore } from '../store/duckdb/inspect.ts'
import { volumeFolder } from '../store/duckdb/volume-folder.ts'
import { StoreUnavailableError } from '../store/store.ts'
import { CopyError } from './copy-error.ts'
import type { CopyLocation, LocationOption, OpenedLocation } from './copy-location.ts'
import { openBackup } from './open-backup.ts'

type Source = {
  location: CopyLocation
  environment: Environment
  signal: AbortSignal
  printLine: (line: string) => void
}

/** @throws CopyError */
export async function openSource({ location, ...source }: Source): Promise<OpenedLocation> {
  switch (location.kind) {
    case 'folder':
      return explained('from', () => openSourceFolder(location.folder))
    case 'clickhouse':
      return explained('from', () => openClickHouse('from', location.address))
    case 'server':
      return explained('from', () => openBackup({ origin: location.origin, ...source }))
  }
}

/** @throws CopyError */
export async function openTarget(location: CopyLocation): Promise<OpenedLocation> {
  switch (location.kind) {
    case 'folder':
      return explained('to', () => openTargetFolder(location.folder))
    case 'clickhouse':
      return explained('to', () => openClickHouse('to', location.address))
    case 'server':
      throw new CopyError('a running Sixpane server cannot be the target')
  }
}

/** @throws CopyError */
export async function throwIfSame(source: CopyLocation, target: CopyLocation): Promise<void> {
  if ((await identityOf(source)) === (await identityOf(target)))
    throw new CopyError('--from and --to are the same store')
}

async function identityOf(location: CopyLocation): Promise<string> {
  if (location.kind === 'clickhouse') return `${location.address.url}/${location.address.database}`
  return location.kind === 'server' ? location.origin : realpath(location.folder).catch(() => location.folder)
}

/** Reads all files before it opens the store, so that a damaged file is reported before anything is copied. */
async function openSourceFolder(folder: string): Promise<OpenedLocation> {
  const names = await namesIn(folder)
  if (names === null || !names.some(isStoreFile)) throw new CopyError(`${folder} contains no Sixpane data`)
  await inspectStore(folder)
  return openFolder(folder)
}

async function openTargetFolder(folder: string): Promise<OpenedLocation> {
  const names = (await namesIn(folder)) ?? []
  if (names.some(name => name !== volumeFolder) && !names.some(isStoreFile))
    throw new CopyError(`${folder} contains other files. Set --to to an empty folder`)
  return openFolder(folder)
}

async function openFolder(folder: string): Promise<OpenedLocation> {
  const { openDuckDbStore } = await import('../store/duckdb/store.ts')
  // If damaged segments were moved aside, the copy would succeed without their events.
  const store = await openDuckDbStore({ folder, preparesSegments: false, movesDamaged: false })
  return { store, close: store.close }
}

async function openClickHouse(option: LocationOption, address: ServerAddress): Promise<OpenedLocation> {
  const { tables, missingPrivileges, missingClusterPrivileges } = await inspectClickHouse(address, Date.now)
  if (option === 'from' && tables === null)
    throw new CopyError(`the ClickHouse database ${address.database} contains no Sixpane data`)
  if (missingPrivileges.length > 0)
    throw new CopyError(
      `the ClickHouse user in --${option} lacks privileges. Grant them in the database ${address.database}: ${missingPrivileges.join(', ')}`,
    )
  if (missingClusterPrivileges.length > 0)
    throw new CopyError(
      `the ClickHouse user in --${option} lacks privileges for a cluster. Grant them on *.*: ${missingClusterPrivileges.join(', ')}`,
    )
  const { openClickHouseStore } = await import('../store/clickhouse/store.ts')
  const store = await openClickHouseStore(address, { takesLease: false })
  return { store, close: store.close }
}

async function namesIn(folder: string): Promise<string[] | null> {
  return readdir(folder).catch(error => {
    const code = errorCode(error)
    if (code === 'ENOENT') return null
    throw new CopyError(`${folder} cannot be read (${code})`)
  })
}

function isStoreFile(name: string): boolean {
  return name.endsWith('.duckdb')
}

/** Rewrites store errors, because they mention server settings instead of this command's options. */
async function explained<Result>(option: LocationOption, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error
    throw new CopyError(explain(option, error.message), { cause: error })
  }
}

/** Explains why a store cannot be used. */
function explain(option: LocationOption, message: string): string {
  const [, folder] = /^The store in (.*) is in use by another process/.exec(message) ?? []
  if (folder !== undefined) {
    return option === 'from'
      ? `a running Sixpane server uses ${folder}. Copy from its address while it runs, for example --from http://127.0.0.1:3000, or stop it and run the same command again`
      : `a running Sixpane server uses ${folder}. Stop it, and run the same command again`
  }
  return message
    .replaceAll('SIXPANE_STORE', `--${option}`)
    .replaceAll('point SIXPANE_DATA at another folder', `set --${option} to another folder`)
    .replaceAll('point SIXPANE_DATA at', `set --${option} to`)
}
