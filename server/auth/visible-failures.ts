import type { User } from '../../shared/user.ts'
import type { Failures } from '../failures/failures.ts'

/**
 * Returns failures as a user may see them. For a user who may see only some services, the source maps of other services do
 * not exist, because they contain source code, and explain missing maps with the names of services and releases.
 */
export function visibleFailures(failures: Failures, { services }: Pick<User, 'services'>): Failures {
  return services === null ? failures : { ...failures, ...failures.limitedTo(services) }
}
