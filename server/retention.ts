import type { Context } from './context.ts'

const everyMs = 60_000

/** Drops what is older or more than the configuration keeps, at once and every minute; gives what stops it. */
export function startRetention({
  config,
  store,
  logger,
}: Pick<Context, 'config' | 'store' | 'logger'>): () => void {
  let busy = false
  const retain = async () => {
    if (busy) return
    busy = true
    try {
      const dropped = await store.retain(config.retention, Date.now())
      if (dropped > 0) logger.info({ dropped }, 'Dropped events past their retention')
    } catch (err) {
      logger.error({ err }, 'Failed to drop events past their retention')
    } finally {
      busy = false
    }
  }
  const timer = setInterval(retain, everyMs)
  timer.unref()
  void retain()
  return () => clearInterval(timer)
}
