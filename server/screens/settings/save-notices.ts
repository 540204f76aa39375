import { type SaveNotice, type SettingsSection, settingsSections } from '../../../shared/screens/settings.ts'
import { runtimeSettings } from '../../settings/table.ts'

const notices = {
  preferences: { section: 'preferences', text: 'Preferences saved.' },
  'webhook-changed': { section: 'webhooks', text: 'Webhook saved.' },
  'webhook-removed': { section: 'webhooks', text: 'Webhook removed.' },
  'token-revoked': { section: 'tokens', text: 'Token revoked.' },
} as const satisfies Record<string, SaveNotice>

/** The query parameter value that identifies what was just saved. */
export type SaveCode = keyof typeof notices | `${SettingsSection}-changed`

const noticesByCode: ReadonlyMap<string, SaveNotice> = new Map<string, SaveNotice>([
  ...Object.entries(notices),
  ...Object.values(runtimeSettings).map(({ section }): [SaveCode, SaveNotice] => [
    `${section}-changed`,
    { section, text: `${settingsSections[section]} saved.` },
  ]),
])

/** Returns the notice for a code from a query string. */
export function saveNoticeOf(code: string): SaveNotice | null {
  return noticesByCode.get(code) ?? null
}
