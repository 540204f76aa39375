import type { Context } from './context.ts'
import { retentionOf } from './settings/runtime-settings.ts'

const everyMs = 60_000

/** Drops what is older or more than the settings keep: at once, every minute, and when they change; gives what stops it. */
export function startRetention({
  settings,
  store,
  logger,
}: Pick<Context, 'settings' | 'store' | 'logger'>): () => void {
  let busy = false
  let again = false
  const retain = async () => {
    if (busy) {
      again = true
      return
    }
    busy = true
    try {
      const dropped = await store.retain(retentionOf(settings.current()), Date.now())
      if (dropped > 0) logger.info({ dropped }, 'Dropped events past their retention')
    } catch (err) {
      logger.error({ err }, 'Failed to drop events past their retention')
    } finally {
      busy = false
    }
    if (again) {
      again = false
      void retain()
    }
  }
  const timer = setInterval(retain, everyMs)
  timer.unref()
  settings.onChange(() => void retain())
  void retain()
  return () => clearInterval(timer)
}
