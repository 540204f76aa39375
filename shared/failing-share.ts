/** A service or route with at least this share of failures is failing; one with fewer is degraded. */
export const failingShare = 0.05
