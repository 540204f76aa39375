import type { User } from '../../shared/user.ts'
import type { Failures } from '../failures/failures.ts'

/**
 * Limits `failures` to what a user may see. A user who may see only some services gets no source maps of other services,
 * because source maps contain source code, and the explanation of a missing map names other services and releases.
 */
export function visibleFailures(failures: Failures, { services }: Pick<User, 'services'>): Failures {
  return services === null ? failures : { ...failures, ...failures.limitedTo(services) }
}
