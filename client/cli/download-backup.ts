import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import { causeOf } from '../../shared/cause-of.ts'
import { formatBytes } from '../../shared/format.ts'
import { paths } from '../../shared/paths.ts'
import { onStopSignal } from './stop-signals.ts'

type Download = {
  file: string
  /** Sixpane's address. */
  url: string
  headers: Readonly<Record<string, string>>
  print: (line: string) => void
  printError: (line: string) => void
}

/**
 * Downloads a backup. Until the download is complete, writes to a file whose name no other download uses. On Ctrl+C, SIGTERM
 * or SIGHUP, removes this file.
 * @returns the exit code
 */
export async function downloadBackup({ file, url, headers, print, printError }: Download): Promise<number> {
  const unfinished = `${file}.${randomUUID()}.part`
  const interruption = new AbortController()
  const { signal } = interruption
  const ignoreSignals = onStopSignal(name => interruption.abort(new Error(`interrupted by ${name}`)))
  try {
    // Opened before the request, so that the server does not prepare a backup that cannot be saved. Only the current user
    // may read the backup.
    const target = await open(unfinished, 'wx+', 0o600)
    const sizeBytes = await downloadTo(target, url, headers, signal).finally(() => target.close())
    signal.throwIfAborted()
    await rename(unfinished, file)
    print(`Saved ${formatBytes(sizeBytes)} to ${file}`)
    return 0
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {})
    printError(`the backup failed: ${causeOf(signal.aborted ? signal.reason : error)}`)
    return 1
  } finally {
    ignoreSignals()
  }
}

/** Returns the size of the backup. */
async function downloadTo(
  target: FileHandle,
  url: string,
  headers: Download['headers'],
  signal: AbortSignal,
): Promise<number> {
  const response = await request(url + paths.backup(), headers, signal)
  if (response.statusCode !== 200)
    throw new Error(`${url} responded with ${response.statusCode}: ${await reasonOf(response)}`)
  for await (const part of response) await target.writeFile(part)
  await target.sync()
  const { size } = await target.stat()
  await checkEnd(target, size)
  return size
}

/**
 * Throws unless the archive ends with the manifest and tar's end marker. HTTP does not reveal every interruption, because a
 * proxy can complete a response that its upstream cut off.
 */
async function checkEnd(archive: FileHandle, sizeBytes: number): Promise<void> {
  const position = Math.max(sizeBytes - 2048, 0)
  const { buffer, bytesRead } = await archive.read(Buffer.alloc(2048), { position })
  if (!/\]\n\}\n\0{1024,}$/.test(buffer.toString('latin1', 0, bytesRead)))
    throw new Error('the download ended early')
}

/** Unlike `fetch`, has no timeout, because the server copies its files before it responds. */
function request(url: string, headers: Download['headers'], signal: AbortSignal): Promise<IncomingMessage> {
  const { get } = url.startsWith('https:') ? https : http
  return new Promise((resolve, reject) => {
    get(url, { headers, signal }, resolve).once('error', reject)
  })
}

async function reasonOf(response: IncomingMessage): Promise<string> {
  const body = await text(response)
  try {
    const parsed: unknown = JSON.parse(body)
    const hasMessage = typeof parsed === 'object' && parsed !== null && 'message' in parsed
    if (hasMessage && typeof parsed.message === 'string') return parsed.message
  } catch {
    // A proxy may respond with HTML.
  }
  return response.statusMessage ?? ''
}
