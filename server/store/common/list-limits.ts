/**
 * Limits on lists of values that clients choose. If names contained ids, the lists would otherwise be as long as the log.
 * Nobody has ten thousand services.
 */
export const maxServices = 10_000
/** Limits for one failure. */
export const maxFailureReleases = 100
export const maxFailureServices = 100
