import type { SettingsContent } from '../../../shared/screens/settings.ts'
import type { Undo } from '../../undo.ts'
import type { SaveCode } from './save-notices.ts'

/** The result of a submitted form: a redirect after a change or test, or the page with problems or other content. */
export type Outcome =
  | { kind: 'saved'; code: SaveCode; undo?: Undo }
  | { kind: 'tested'; webhookId: string }
  | { kind: 'invalid'; content: Partial<SettingsContent> }
  | { kind: 'page'; content: Partial<SettingsContent>; title: string }
