/**
 * Limits on lists of values that clients choose. Without limits, a client that puts ids into names could make a list as long
 * as the log. No installation has ten thousand services.
 */
export const maxServices = 10_000
/** In a window. Clients choose the fingerprints of failures, too. */
export const maxFailures = 50_000
/** Older releases are omitted, because nobody scrolls that far. */
export const maxReleases = 5000
/** Older releases are omitted, because charts have no space for them. */
export const maxReleaseStarts = 500
/** Limits for one failure or one digest. */
export const maxFailureReleases = 100
export const maxFailureServices = 100
export const maxFailuresOfDigest = 10
