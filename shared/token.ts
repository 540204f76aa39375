export const tokenScopes = ['ingest', 'source-maps', 'read', 'backup'] as const

/** What a token permits: to send events, upload source maps, read events and pages, or download everything that is stored. */
export type TokenScope = (typeof tokenScopes)[number]
