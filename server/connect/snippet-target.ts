import type { Role } from '../../shared/user.ts'

/** Where the snippets send events. */
export type SnippetTarget = {
  origin: string
  requiresSignIn: boolean
  /** The role of the visitor. Only administrators can create tokens. */
  role: Role
  /** The keys of the tokens, newest first, if a token is required and the visitor may see its key. */
  dsnKeys: readonly DsnKey[]
  /** A sentence with a leading space, for the notes of snippets that need a token. Empty if no token is required. */
  tokenNote: string
}

/** The key of a token in a Sentry DSN. */
export type DsnKey = { tokenName: string; key: string }
