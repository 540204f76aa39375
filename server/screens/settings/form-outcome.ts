import type { ServiceSettings } from '../../../shared/screens/settings.ts'
import type { Undo } from '../../store/undo-store.ts'
import type { SaveCode } from './save-notices.ts'

/** The result of a submitted form: a redirect after a change or test, or the page with problems or other content. */
export type Outcome =
  | { kind: 'saved'; code: SaveCode; undo?: Undo; change?: Change }
  | { kind: 'tested'; webhookId: string; change: Change }
  | { kind: 'invalid'; content: Partial<ServiceSettings> }
  | { kind: 'page'; content: Partial<ServiceSettings>; title: string; change?: Change }

/** An entry for the audit log. An outcome without one changed nothing. */
export type Change = { action: string; details: string }
