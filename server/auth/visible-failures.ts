import type { User } from '../../shared/user.ts'
import type { Failures } from '../failures/failures.ts'

/**
 * Limits `failures` to what a user may see. For a user who may see only some services, frames are mapped as if no maps of
 * other services were stored, because source maps contain source code, and the explanation of a missing map names the
 * services and releases that have maps.
 */
export function visibleFailures(failures: Failures, { services }: Pick<User, 'services'>): Failures {
  return services === null ? failures : { ...failures, ...failures.limitedTo(services) }
}
