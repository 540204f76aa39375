import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import type { Context } from '../../context.ts'
import { HttpError } from '../../http/http-error.ts'
import { BundleError } from './bundle-error.ts'
import { type ChunkStore, chunkLifetimeMs } from './chunk-store.ts'
import { type BundleResult, storeBundle } from './store-bundle.ts'
import { uploadLimits } from './upload-limits.ts'

/** A request to join chunks into a bundle and to store its source maps. */
export type AssemblyRequest = {
  /** The SHA-1 of the bundle. */
  checksum: string
  chunks: readonly string[]
  /** `null` means the bundle's own release. */
  release: string | null
}

/** The response. `detail` explains an error, or why maps were skipped. */
export type AssemblyState = {
  state: 'not_found' | 'created' | 'assembling' | 'ok' | 'error'
  missingChunks: string[]
  detail: string | null
}

export type Assemblies = {
  /**
   * Starts an assembly if all its chunks are stored, and otherwise returns the missing chunks. If the same assembly was
   * started before, returns its state. After an assembly has failed, the first request returns the error, and later requests
   * can start it again.
   */
  request(wanted: AssemblyRequest): AssemblyState
  /** Resolves when the assembly has ended, or immediately if it is unknown. */
  ended(wanted: AssemblyRequest): Promise<void>
  /** Aborts all assemblies and waits until they have ended. */
  stop(): Promise<void>
}

type Outcome = Pick<AssemblyState, 'state' | 'detail'>
type Job = {
  outcome: Outcome
  done: Promise<void>
  /** Whether a client has received the error. */
  hasReportedError: boolean
}

const maxJobs = 1000
/** Limits `needed` to the pending assemblies and an equal number of uploads in progress. */
const maxNeeded = 2 * uploadLimits.pendingAssemblies
/** How long a result is available. Clients poll once per second. */
const keepResultMs = 10 * 60_000
const maxListedProblems = 5

/** Assembles one bundle at a time in the background. */
export function createAssemblies({
  chunks,
  context,
}: {
  chunks: ChunkStore
  context: Pick<Context, 'sourceMaps' | 'regrouping' | 'memory' | 'logger'>
}): Assemblies {
  const { regrouping, logger } = context
  const limited = pLimit(1)
  const stopping = new AbortController()
  const jobs = new LRUCache<string, Job>({ max: maxJobs, ttl: keepResultMs })
  /** The chunks of bundles that have not been assembled yet. Bundles may share chunks. */
  const needed = new LRUCache<string, readonly string[]>({ max: maxNeeded, ttl: chunkLifetimeMs })
  const running = new Set<Promise<void>>()

  const assemble = async ({ checksum, chunks: names, release }: AssemblyRequest): Promise<Outcome> => {
    try {
      const store = (path: string) => storeBundle(path, release, context, stopping.signal)
      return outcomeOf(await chunks.withFile(checksum, names, store))
    } catch (err) {
      if (err instanceof BundleError) {
        logger.warn({ err, release }, 'Rejected a bundle of source maps')
        return failed(err.message)
      }
      if (!stopping.signal.aborted) logger.error({ err, release }, 'Failed to store a bundle of source maps')
      return failed('The bundle could not be stored. Upload it again.')
    }
  }

  const outcomeOf = ({ added, known, problems }: BundleResult): Outcome => {
    if (added > 0) void regrouping.wake()
    if (problems.length === 0) return { state: 'ok', detail: null }
    const shown = problems.slice(0, maxListedProblems)
    logger.warn(
      { added, known, skipped: problems.length, problems: shown },
      'Skipped source maps in a bundle',
    )
    const more = problems.length > shown.length ? [`${problems.length - shown.length} more`] : []
    const detail = `These source maps can't be used. ${[...shown, ...more].join(' ')}`
    return { state: added + known === 0 ? 'error' : 'ok', detail }
  }

  const start = (wanted: AssemblyRequest): Job => {
    const key = keyOf(wanted)
    const job: Job = {
      outcome: { state: 'created', detail: null },
      done: Promise.resolve(),
      hasReportedError: false,
    }
    const run = async () => {
      job.outcome = { state: 'assembling', detail: null }
      const outcome = stopping.signal.aborted ? failed('Sixpane is stopping') : await assemble(wanted)
      needed.delete(key)
      const others = new Set([...needed.values()].flat())
      await chunks
        .remove(wanted.chunks.filter(name => !others.has(name)))
        .catch(err => logger.error({ err }, 'Failed to delete parts of an upload'))
      job.outcome = outcome
      jobs.set(key, job)
    }
    job.done = limited(run).finally(() => running.delete(job.done))
    running.add(job.done)
    jobs.set(key, job)
    return job
  }

  return {
    request(wanted) {
      const job = jobs.get(keyOf(wanted))
      if (job !== undefined && job.outcome.state !== 'error') return { ...job.outcome, missingChunks: [] }
      const missingChunks = chunks.missing(wanted.chunks)
      if (job !== undefined && !job.hasReportedError) {
        job.hasReportedError = true
        return { ...job.outcome, missingChunks }
      }
      needed.set(keyOf(wanted), wanted.chunks)
      if (job !== undefined && missingChunks.length > 0) return { ...job.outcome, missingChunks }
      if (missingChunks.length > 0) return { state: 'not_found', missingChunks, detail: null }
      if (running.size >= uploadLimits.pendingAssemblies) {
        const message = 'Too many uploads are being processed. Send the request again.'
        throw new HttpError(503, message, { 'retry-after': 5 })
      }
      return { ...start(wanted).outcome, missingChunks: [] }
    },
    ended: async wanted => jobs.get(keyOf(wanted))?.done,
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

function keyOf({ checksum, release }: AssemblyRequest): string {
  return `${checksum} ${release ?? ''}`
}

function failed(detail: string): Outcome {
  return { state: 'error', detail }
}
