import type { ServiceSettings, SettingsContent } from '../../../shared/screens/settings.ts'

/** The content of the sections for administrators. */
export type ServiceContent = ServiceSettings & Pick<SettingsContent, 'saved'>
