export const tokenScopes = ['ingest', 'source-maps', 'read'] as const

/** What a token permits: to send events, to upload source maps, or to read events and pages. */
export type TokenScope = (typeof tokenScopes)[number]
