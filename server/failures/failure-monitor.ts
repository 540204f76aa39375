import type { Events } from '../events/events.ts'
import type { Logger } from '../logger.ts'
import type { FailureStates, Scan } from '../store/failure-store.ts'
import type { Store } from '../store/store.ts'
import type { FailureNotice } from './alert.ts'
import { findNews, type News } from './detect-alerts.ts'

/** Occurrences that are looked through at once. */
const lookLength = 10_000
/** Of one look: a flood of new failures is one thing to hear of, not ten thousand. */
const mostNotices = 50
const dayMs = 86_400_000
const hourMs = 3_600_000

export type WatchOptions = {
  store: Pick<Store, 'failure'> & { failureStates: Pick<FailureStates, 'init' | 'scan' | 'commit'> }
  events: Pick<Events, 'onCommit'>
  logger: Pick<Logger, 'error' | 'info' | 'warn'>
  notify: (notice: FailureNotice) => Promise<void>
  /** Between two looks at least. */
  pauseMs?: number
  nowMs?: () => number
}

/**
 * Notices failures that are new, and resolved ones that return, once their events are stored. How far it came is
 * kept with what it found, so what a kill left unseen is seen at the next start. Notices are given before that is
 * kept: after a kill one may be given again, none is lost.
 *
 * @throws what the store throws where it cannot be asked for the first time
 */
export async function startWatch(options: WatchOptions): Promise<{ stop(): Promise<void> }> {
  const { store, events, logger, notify, pauseMs = 1000, nowMs = Date.now } = options
  await store.failureStates.init()
  let stopped = false
  let isOut = false
  let timer: NodeJS.Timeout | null = null
  let lookedMs = Number.NEGATIVE_INFINITY
  let looking: Promise<void> = Promise.resolve()

  const tell = async ({ kind, fingerprint, release, atMs }: News) => {
    const window = { fromMs: nowMs() - dayMs, toMs: nowMs() }
    const failure = await store.failure(fingerprint, hourMs, window)
    // Retention may have been quicker.
    if (failure === null) return
    const returned = kind === 'returned' ? { release, atMs } : null
    await notify({ kind, failure: { ...failure, state: 'open', returned }, release })
  }

  const lookOnce = async (): Promise<Scan> => {
    const look = await store.failureStates.scan(lookLength)
    const { news, findings } = findNews(look)
    for (const each of news.slice(0, mostNotices)) await tell(each)
    if (news.length > mostNotices) {
      logger.warn(
        { failures: news.length, told: mostNotices },
        'Too many new failures at once to tell of each',
      )
    }
    await store.failureStates.commit(findings)
    return look
  }

  const lookAll = async () => {
    try {
      let isEnd = stopped
      while (!isEnd) isEnd = (await lookOnce()).isEnd || stopped
      if (isOut) logger.info('New failures are noticed again')
      isOut = false
    } catch (err) {
      if (!isOut) logger.error({ err }, 'Failed to look for new failures')
      isOut = true
      lookedMs = performance.now()
      wake()
    }
    lookedMs = performance.now()
  }

  /** However often it is asked, one look follows the other after the pause. */
  const wake = () => {
    if (stopped || timer !== null) return
    const look = () => {
      looking = looking.then(() => {
        timer = null
        return lookAll()
      })
    }
    timer = setTimeout(look, Math.max(0, lookedMs + pauseMs - performance.now()))
  }
  // What the last process left.
  looking = lookAll()
  const stopListening = events.onCommit(committed => {
    if (committed.some(({ fingerprint }) => fingerprint !== null)) wake()
  })

  return {
    async stop() {
      stopped = true
      stopListening()
      if (timer !== null) clearTimeout(timer)
      await looking
    },
  }
}
