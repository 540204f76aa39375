import type { Events } from '../events/events.ts'
import type { Logger } from '../logger.ts'
import type { FailureBook, Look } from '../store/failure-state-store.ts'
import type { Store } from '../store/store.ts'
import { createWorker, type Worker } from '../worker.ts'
import type { FailureNotice } from './alert.ts'
import { findNews, type News } from './detect-alerts.ts'

/** Occurrences that are looked through at once. */
const lookLength = 10_000
/** Of one look: a flood of new failures is one thing to hear of, not ten thousand. */
const mostNotices = 50
const dayMs = 86_400_000
const hourMs = 3_600_000

export type WatchOptions = {
  store: Pick<Store, 'failure'> & { failureBook: Pick<FailureBook, 'begin' | 'look' | 'enter'> }
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
export async function startWatch(options: WatchOptions): Promise<Pick<Worker, 'stop'>> {
  const { store, events, logger, notify, pauseMs = 1000, nowMs = Date.now } = options
  await store.failureBook.begin()
  let isFailing = false
  let endedMs = Number.NEGATIVE_INFINITY

  const tell = async ({ kind, fingerprint, release, atMs }: News) => {
    const window = { fromMs: nowMs() - dayMs, toMs: nowMs() }
    const failure = await store.failure(fingerprint, hourMs, window)
    // Retention may have been quicker.
    if (failure === null) return
    const returned = kind === 'returned' ? { release, atMs } : null
    await notify({ kind, failure: { ...failure, state: 'open', returned }, release })
  }

  const lookOnce = async (): Promise<Look> => {
    const look = await store.failureBook.look(lookLength)
    const { news, findings } = findNews(look)
    for (const each of news.slice(0, mostNotices)) await tell(each)
    if (news.length > mostNotices) {
      logger.warn(
        { failures: news.length, told: mostNotices },
        'Too many new failures at once: not every one triggers a webhook',
      )
    }
    await store.failureBook.enter(findings)
    return look
  }

  const worker = createWorker({
    async run(signal) {
      try {
        let isEnd = signal.aborted
        while (!isEnd) isEnd = (await lookOnce()).isEnd || signal.aborted
        if (isFailing) logger.info('Failure detection works again')
        isFailing = false
      } finally {
        endedMs = performance.now()
      }
    },
    onError(err) {
      // One line per outage.
      if (!isFailing) logger.error({ err }, 'Failed to detect new failures')
      isFailing = true
      wake()
    },
  })
  const wake = () => worker.wakeIn(Math.max(0, endedMs + pauseMs - performance.now()))

  // What the previous process did not process.
  void worker.wake()
  const stopListening = events.onCommit(committed => {
    if (committed.some(({ fingerprint }) => fingerprint !== null)) wake()
  })

  return {
    stop() {
      stopListening()
      return worker.stop()
    },
  }
}
