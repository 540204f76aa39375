export const tokenScopes = ['ingest', 'source-maps', 'read', 'backup'] as const

/** A permission of a token: to send events, upload source maps, read events and pages, or download all stored data. */
export type TokenScope = (typeof tokenScopes)[number]

/** The start of every token. Distinguishes tokens from passwords. */
export const tokenPrefix = 'sxp_'
