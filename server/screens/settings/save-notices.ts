import { type SaveNotice, type SettingsSection, settingsSections } from '../../../shared/screens/settings.ts'
import { runtimeSettings } from '../../settings/table.ts'

type Text = Omit<SaveNotice, 'undoId'>

const notices = {
  preferences: { section: 'preferences', text: 'Preferences saved.' },
  'webhook-changed': { section: 'webhooks', text: 'Webhook saved.' },
  'webhook-removed': { section: 'webhooks', text: 'Webhook removed. Its messages were deleted.' },
  'token-revoked': { section: 'tokens', text: 'Token revoked.' },
} as const satisfies Record<string, Text>

const endings = {
  discarded: 'Changes discarded.',
  undone: 'Change undone.',
  expired: 'This change can’t be undone any more.',
} as const

/** The query parameter value that identifies the notice to show. */
export type SaveCode =
  | keyof typeof notices
  | `${SettingsSection}-changed`
  | `${SettingsSection}-${keyof typeof endings}`

const textsByCode: ReadonlyMap<string, Text> = new Map<string, Text>([
  ...Object.entries(notices),
  ...Object.values(runtimeSettings).map(({ section }): [SaveCode, Text] => [
    `${section}-changed`,
    { section, text: `${settingsSections[section]} saved.` },
  ]),
  ...sectionIds().flatMap(section =>
    Object.entries(endings).map(([ending, text]): [string, Text] => [
      `${section}-${ending}`,
      { section, text },
    ]),
  ),
])

function sectionIds(): SettingsSection[] {
  return Object.keys(settingsSections).filter(isSettingsSection)
}

export function isSettingsSection(value: string): value is SettingsSection {
  return Object.hasOwn(settingsSections, value)
}

/** Returns the notice for a code from a query string. */
export function saveNoticeOf(code: string): Text | null {
  return textsByCode.get(code) ?? null
}
