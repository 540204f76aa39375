import type { SettingsContent } from '../../../shared/screens/settings.ts'
import type { SaveCode } from './save-notices.ts'

/** The result of a form: it was saved, or the page is shown again with problems, a confirmation or a result. */
export type Outcome =
  | { kind: 'saved'; code: SaveCode }
  | { kind: 'tested'; webhookId: string }
  | { kind: 'invalid'; content: Partial<SettingsContent> }
  | { kind: 'page'; content: Partial<SettingsContent>; title: string }
