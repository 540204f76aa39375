import { mkdir, rm, statfs, writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { create } from 'tar'
import { formatBytes, pluralise } from '../../shared/format.ts'
import { paths } from '../../shared/paths.ts'
import { describeFolder, manifestName } from '../backup/manifest.ts'
import type { Context } from '../context.ts'
import { attachmentHeaders } from '../http/attachment.ts'
import { disconnectSignal } from '../http/disconnect-signal.ts'
import { HttpError } from '../http/http-error.ts'
import { onceClosed } from '../http/once-closed.ts'
import { routeDependencies } from '../http/route-dependencies.ts'

type Needs = Pick<Context, 'config' | 'build' | 'logger' | 'store' | 'audit' | 'backup'>

/**
 * `GET /backup`: sends all data in the data folder as a tar archive. Copies the files first, so that the archive is
 * consistent however slowly the client reads it. The copy needs disk space until the response ends. Runs one backup at a
 * time.
 */
const backup: FastifyPluginAsync<{ context: Needs }> = async (fastify, { context }) => {
  const { config, build, logger, store, audit } = context
  // A name that operators are unlikely to choose for their own backups in the data folder.
  const folder = join(config.dataFolder, 'unfinished-backup')
  // Some file systems, such as NFS, report a folder as not empty until its deleted files are closed.
  const deleteCopy = () =>
    rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(err =>
      logger.warn({ err }, 'Failed to delete the copy of a backup'),
    )
  // A killed process can leave the folder behind.
  await deleteCopy()
  let isRunning = false

  const copy = async (copyStore: NonNullable<Context['backup']>, signal: AbortSignal) => {
    await mkdir(folder)
    const createdMs = Date.now()
    const events = await copyStore(folder, signal)
    const manifest = await describeFolder(folder, { version: build.version, createdMs, events })
    await writeFile(join(folder, manifestName), `${JSON.stringify(manifest, null, 2)}\n`)
    return manifest
  }

  const access = { role: 'admin', scope: 'backup', needsAllServices: true, rejectsCrossSite: true } as const
  fastify.get(paths.backup(), { config: { access }, exposeHeadRoute: false }, async (request, reply) => {
    const { backup } = context
    if (backup === null)
      throw new HttpError(
        501,
        'Sixpane stores its data in ClickHouse. Back up that database with its own tools',
      )
    if (isRunning)
      throw new HttpError(503, 'Another backup is in progress. Try again later', { 'retry-after': 60 })
    isRunning = true
    // Also aborts if a shutdown closes the connection.
    const signal = disconnectSignal(reply)
    const end = async () => {
      await deleteCopy()
      isRunning = false
    }
    try {
      await deleteCopy()
      await throwIfFull(config.dataFolder, (await store.stats()).diskBytes)
      const manifest = await withoutIdleLimit(request.socket, () => copy(backup, signal))
      const { createdMs, events } = manifest
      if (request.user !== null)
        await audit.record(request.user, 'Downloaded a backup', pluralise(events, 'event'))
      // The manifest is last, so that `restore` recognises a truncated archive.
      const files = [...manifest.files.map(({ path }) => path), manifestName]
      const pack = create({ cwd: folder, portable: true }, files)
      const archive = Readable.from(pack, { objectMode: false })
      // Without this listener, the process would crash if `pack` opened a file that `end` had deleted after a disconnect.
      pack.on('error', cause => archive.destroy(new Error('A file of the backup cannot be read', { cause })))
      archive.once('close', () => void end())
      onceClosed(reply, () => archive.destroy())
      return await reply.type('application/x-tar').headers(attachmentHeaders(createdMs, 'tar')).send(archive)
    } catch (error) {
      await end()
      throw error
    }
  })
}

/** Lifts the connection's idle limit during work that sends nothing for minutes. */
async function withoutIdleLimit<Result>(socket: Socket, work: () => Promise<Result>): Promise<Result> {
  const { timeout = 0 } = socket
  socket.setTimeout(0)
  try {
    return await work()
  } finally {
    socket.setTimeout(timeout)
  }
}

/** @throws HttpError 507 if a copy of the store would not fit on the disk */
async function throwIfFull(folder: string, neededBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const freeBytes = bavail * bsize
  if (freeBytes > neededBytes * 1.05) return
  throw new HttpError(
    507,
    `A backup needs ${formatBytes(neededBytes)} of disk space while it is downloaded, but only ${formatBytes(freeBytes)} is free`,
  )
}

export default fastifyPlugin(backup, { name: 'backup', fastify: '5.x', dependencies: routeDependencies })
