/** Where the snippets send events. */
export type SnippetTarget = {
  origin: string
  requiresSignIn: boolean
  /** The keys of the tokens, if a token is required. */
  dsnKeys: readonly DsnKey[]
  /** A sentence with a leading space, for the notes of snippets that need a token. Empty if no token is required. */
  tokenNote: string
}

/** The key of a token in a Sentry DSN. */
export type DsnKey = { tokenName: string; key: string }
