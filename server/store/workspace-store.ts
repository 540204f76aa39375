import type { AuditStore } from './audit-store.ts'
import type { SavedSearches } from './saved-search-store.ts'
import type { SessionStore } from './session-store.ts'
import type { SettingStore } from './setting-store.ts'
import type { SourceMapStore } from './source-map-store.ts'
import type { TokenStore } from './token-store.ts'
import type { UndoStore } from './undo-store.ts'
import type { WebhookStore } from './webhook-store.ts'

/** Data other than events and failures. The retention limits do not apply to it. */
export type WorkspaceStore = {
  readonly savedSearches: SavedSearches
  readonly sourceMaps: SourceMapStore
  readonly webhooks: WebhookStore
  readonly tokens: TokenStore
  readonly endedSessions: SessionStore
  readonly audit: AuditStore
  readonly settings: SettingStore
  readonly undos: UndoStore
}
