/**
 * Limits on lists of values that clients choose. A client that puts ids into names would otherwise make them as long as the
 * log. Nobody has ten thousand services.
 */
export const maxServices = 10_000
/** Limits for one failure. */
export const maxFailureReleases = 100
export const maxFailureServices = 100
