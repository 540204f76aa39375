import { Type } from 'typebox'
import { tokenScopes } from '../../../shared/token.ts'
import { roles } from '../../../shared/user.ts'
import { nullable } from '../common/nullable.ts'
import { failureRecord } from '../failure-record.ts'
import { noticeKinds } from '../webhook-store.ts'

/** The schemas of the values in each collection. After a change to a schema, stored values need a migration. */
export const collections = {
  /** The failure id of each known fingerprint. */
  failureIds: Type.String(),
  /** Keyed by failure id. A failure without an entry is open. */
  failures: failureRecord,
  /** Keyed by fingerprint. */
  signatures: Type.Object({
    fingerprint: Type.String(),
    service: Type.String(),
    release: nullable(Type.String()),
    subject: Type.String(),
    frames: Type.Array(Type.Object({ functionName: nullable(Type.String()), file: Type.String() })),
    seenMs: Type.Number(),
    replaces: nullable(Type.String()),
  }),
  /** The failure id that each manually merged fingerprint had before the merge. */
  mergedFrom: Type.String(),
  /** The fingerprint that another fingerprint follows, keyed by the latter: see `FailureDigests`. */
  follows: Type.String(),
  /** Pairs of failures that were split manually. */
  splits: Type.Tuple([Type.String(), Type.String()]),
  /** Keyed by note id. */
  notes: Type.Object({
    id: Type.String(),
    failureId: Type.String(),
    writtenMs: Type.Number(),
    text: Type.String(),
    author: Type.Optional(Type.String()),
  }),
  /** The id of the newest change to stored events, keyed by `newest`. Engines that cache events read them again. */
  eventChanges: Type.String(),
  /** The position up to which each reader has processed the events. */
  progress: Type.String(),
  savedSearches: Type.Object({
    id: Type.String(),
    name: Type.String(),
    view: Type.String(),
    createdMs: Type.Number(),
  }),
  sourceMaps: Type.Object({
    id: Type.String(),
    release: Type.String(),
    path: Type.String(),
    debugId: nullable(Type.String()),
    service: nullable(Type.String()),
    uploadedMs: Type.Number(),
    sizeBytes: Type.Number(),
    /** `true` only in entries from older versions; see `appliedSourceMaps`. */
    isApplied: Type.Boolean(),
  }),
  /**
   * Keyed by the id of a source map that has been applied to stored failures. Separate from the source maps, so that marking
   * a map cannot undo its deletion by another replica.
   */
  appliedSourceMaps: Type.Literal(true),
  webhooks: Type.Object({
    id: Type.String(),
    name: Type.String(),
    url: Type.String(),
    secret: Type.String(),
    conditions: Type.Object({
      newFailure: Type.Boolean(),
      returnedFailure: Type.Boolean(),
      errorRatio: nullable(Type.Object({ above: Type.Number(), overMinutes: Type.Number() })),
    }),
    createdMs: Type.Number(),
  }),
  deliveries: Type.Object({
    id: Type.String(),
    webhookId: Type.String(),
    kind: Type.Enum(noticeKinds),
    subject: Type.String(),
    body: Type.String(),
    createdMs: Type.Number(),
    attempts: Type.Number(),
    nextMs: nullable(Type.Number()),
    status: nullable(Type.Number()),
    problem: nullable(Type.String()),
    endedMs: nullable(Type.Number()),
  }),
  tokens: Type.Object({
    id: Type.String(),
    name: Type.String(),
    createdMs: Type.Number(),
    scopes: Type.Array(Type.Enum(tokenScopes)),
    services: nullable(Type.Array(Type.String())),
    expiresMs: nullable(Type.Number()),
    hash: Type.String(),
    /** `null` except in entries from older versions and in copied entries; see `tokenUses`. */
    usedMs: nullable(Type.Number()),
  }),
  /**
   * When each token was last used. Separate from the tokens, so that recording a use cannot undo the removal of a token by
   * another replica.
   */
  tokenUses: Type.Number(),
  /** When each ended session expires. */
  endedSessions: Type.Number(),
  audit: Type.Object({
    id: Type.String(),
    atMs: Type.Number(),
    user: nullable(Type.String()),
    action: Type.String(),
    details: Type.String(),
  }),
  /** Keyed by undo id. The undo itself is validated when it is read, so changing its schema needs no migration. */
  undos: Type.Object({ undo: Type.Unknown(), role: Type.Enum(roles), addedMs: Type.Number() }),
  settings: Type.Object({ name: Type.String(), value: Type.String(), changedMs: Type.Number() }),
}
