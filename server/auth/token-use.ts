import { setInterval } from 'node:timers'
import type { Logger } from '../logger.ts'
import type { StoredToken, TokenStore } from '../store/token-store.ts'

/** Every write invalidates the store's caches, so a few minutes of inaccuracy are better than one write per request. */
const storeEveryMs = 10 * 60_000

/** Records when tokens were last used, and stores these times every ten minutes and on shutdown. */
export function startTokenUse(
  store: Pick<TokenStore, 'recordUse'>,
  logger: Pick<Logger, 'warn'>,
  nowMs: () => number = Date.now,
) {
  let usedMs = new Map<string, number>()
  const flush = async () => {
    if (usedMs.size === 0) return
    const stored = usedMs
    usedMs = new Map()
    await store.recordUse(stored).catch(err => {
      usedMs = new Map([...stored, ...usedMs])
      logger.warn({ err }, 'Failed to store the last use of tokens')
    })
  }
  const timer = setInterval(flush, storeEveryMs).unref()
  return {
    record: ({ id }: Pick<StoredToken, 'id'>) => void usedMs.set(id, nowMs()),
    flush,
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}
