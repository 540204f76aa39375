import type { NotFoundHintsData } from '../../shared/not-found-hints.ts'
import type { Context } from '../context.ts'
import { retentionOf } from '../settings/runtime-settings.ts'
import type { ScreenRequest } from './screen.ts'

const servicesLimit = 10

/** Loads the retention limits, the time of the oldest event and the services seen last, which can explain why nothing was found. */
export async function loadNotFoundHints(
  { settings, store }: Pick<Context, 'settings' | 'store'>,
  { signal, user }: Pick<ScreenRequest, 'signal' | 'user'>,
): Promise<NotFoundHintsData> {
  const [{ oldestMs }, seenSources] = await Promise.all([store.stats(), store.seenSources(signal)])
  const newest = new Map<string, number>()
  for (const { service, lastSeenMs } of seenSources) {
    newest.set(service, Math.max(lastSeenMs, newest.get(service) ?? lastSeenMs))
  }
  const services = [...newest]
    .map(([service, lastSeenMs]) => ({ service, lastSeenMs }))
    .sort((a, b) => b.lastSeenMs - a.lastSeenMs)
    .slice(0, servicesLimit)
  return { ...retentionOf(settings.current()), oldestMs, isLimited: user.services !== null, services }
}
