import { ownService } from '../../shared/event.ts'
import type { User } from '../../shared/user.ts'
import type { SeenSource } from '../store/event-store.ts'

/** Whether all events come from Sixpane itself. False for users who may see only some services, because others may have events. */
export function isOnlyOwn(seenSources: readonly SeenSource[], { services }: Pick<User, 'services'>): boolean {
  return services === null && seenSources.every(({ service }) => service === ownService)
}
