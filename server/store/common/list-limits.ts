/**
 * Limits on lists of values that clients choose: an id in a name would otherwise make them as long as the log. Ten thousand
 * services are more than anyone has.
 */
export const maxServices = 10_000
/** The newest releases, and services, of one failure. */
export const maxFailureReleases = 100
export const maxFailureServices = 100
