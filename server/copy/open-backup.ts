import { mkdtemp, readdir, rm } from 'node:fs/promises'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { errorCode } from '../../shared/error-code.ts'
import { formatCount, pluralise } from '../../shared/format.ts'
import { paths } from '../../shared/paths.ts'
import { extractBackup } from '../backup/extract-backup.ts'
import { BackupError } from '../backup/manifest.ts'
import { withSecretFiles } from '../settings/secret-files.ts'
import type { Environment } from '../settings/setting.ts'
import { allSettings } from '../settings/table.ts'
import { DamagedFileError } from '../store/duckdb/engine/damaged-file.ts'
import { inspectStore } from '../store/duckdb/inspect.ts'
import { workspaceFile } from '../store/duckdb/workspace/workspace.ts'
import { CopyError } from './copy-error.ts'
import type { OpenedLocation } from './copy-location.ts'

type Download = {
  origin: string
  /** Contains the token or password for the server. */
  environment: Environment
  signal: AbortSignal
  printLine: (line: string) => void
}

type Headers = Readonly<Record<string, string>>

/**
 * Downloads a backup of a running server to a temporary folder, verifies it as `sixpane restore` does, and opens it.
 * @throws CopyError
 */
export async function openBackup({
  origin,
  environment,
  signal,
  printLine,
}: Download): Promise<OpenedLocation> {
  const headers = authorizationHeaders(environment)
  await removeLeftovers()
  const folder = await mkdtemp(join(tmpdir(), `${folderPrefix}${process.pid}-`))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    printLine(`Downloading a backup from ${origin} to ${folder}`)
    const manifest = await download(origin, headers, folder, signal)
    await inspectStore(folder).catch((error: unknown) => {
      const cause = error instanceof Error ? error.cause : null
      if (!(cause instanceof DamagedFileError)) throw error
      const file = basename(cause.path)
      // Without the workspace, tokens, settings and the states of failures would be lost.
      const remedy = file === workspaceFile ? '' : ' or move it away'
      throw new CopyError(
        `${file} on ${origin} is damaged. Stop Sixpane, restore the file from a backup${remedy}, and run the same command again`,
      )
    })
    const { openDuckDbStore } = await import('../store/duckdb/store.ts')
    const store = await openDuckDbStore({ folder, preparesSegments: false, movesDamaged: false })
    const { events } = await store.stats()
    const close = async () => {
      await store.close()
      await remove()
    }
    if (events === manifest.events) return { store, close }
    await close()
    throw new CopyError(
      `the backup contains ${pluralise(events, 'event')} instead of ${formatCount(manifest.events)}. Try again`,
    )
  } catch (error) {
    await remove()
    throw error
  }
}

async function download(origin: string, headers: Headers, folder: string, signal: AbortSignal) {
  try {
    const response = await request(origin, headers, signal)
    if (response.statusCode !== 200) throw new CopyError(await explainStatus(origin, response))
    return await extractBackup(response, folder, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof CopyError) throw error
    if (error instanceof BackupError)
      throw new CopyError(`the backup from ${origin} cannot be used: ${error.message}. Try again`)
    const code = errorCode(error) ?? String(error)
    throw new CopyError(
      code === 'ENOSPC'
        ? `the disk with ${folder} is full. Set TMPDIR to a folder with enough space for all stored data`
        : `${origin} cannot be reached (${code}). Check --from, and whether Sixpane is running`,
    )
  }
}

/**
 * Returns the headers that authenticate a request. The token takes precedence over the password.
 * @throws CopyError if the file with the password cannot be read
 */
function authorizationHeaders(environment: Environment): Headers {
  const { SIXPANE_TOKEN: token } = environment
  if (token) return { authorization: `Bearer ${token}` }
  const { problems, environment: complete } = withSecretFiles(environment, { password: allSettings.password })
  for (const [name, problem] of problems) throw new CopyError(`${name} ${problem}`)
  const { SIXPANE_PASSWORD: password } = complete
  return password ? { authorization: `Basic ${Buffer.from(`:${password}`).toString('base64')}` } : {}
}

/** Requests a backup. The request has no timeout, because the server copies its files before it responds. */
function request(origin: string, headers: Headers, signal: AbortSignal): Promise<IncomingMessage> {
  const { get } = origin.startsWith('https:') ? https : http
  return new Promise((resolve, reject) => {
    get(origin + paths.backup(), { headers, signal }, resolve).once('error', reject)
  })
}

const advice: Readonly<Record<number, string>> = {
  401: 'Set SIXPANE_TOKEN to a token with the permission to download backups, created on /settings, or SIXPANE_PASSWORD to the password',
  403: 'Create a token with the permission to download backups on /settings, and set SIXPANE_TOKEN to it',
  404: 'Check whether --from is the address of Sixpane, and update Sixpane',
  501: 'Set --from to the address of its ClickHouse database',
}

async function explainStatus(origin: string, response: IncomingMessage): Promise<string> {
  const { statusCode = 0 } = response
  const reason = `${origin} responded with ${statusCode}: ${await reasonOf(response)}`
  return advice[statusCode] === undefined ? reason : `${reason}. ${advice[statusCode]}`
}

async function reasonOf(response: IncomingMessage): Promise<string> {
  const body = await text(response)
  try {
    return String(JSON.parse(body).message).replace(/\.$/, '')
  } catch {
    return response.statusMessage ?? ''
  }
}

const folderPrefix = 'sixpane-copy-'

/**
 * Deletes the folders of killed processes. In a container, an earlier process may have had the id of this process, which has
 * not created a folder yet.
 */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid] = /^sixpane-copy-(\d+)-/.exec(name) ?? []
    if (pid !== undefined && (Number(pid) === process.pid || !isRunning(Number(pid))))
      await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {})
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}
