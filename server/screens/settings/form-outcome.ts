import type { SettingsDone } from '../../../shared/paths.ts'
import type { SettingField, SettingsContent } from '../../../shared/screens/settings.ts'
import type { Settings } from '../../settings/service-settings.ts'
import { type SettingName, textsOf } from '../../settings/values.ts'

/** What came of one of the screen's forms: it is done, or a page says what is wrong or what is asked. */
export type Outcome =
  | { kind: 'done'; done: SettingsDone; webhook?: string }
  | { kind: 'wrong'; content: Partial<SettingsContent> }
  | { kind: 'shown'; content: Partial<SettingsContent>; title: string }

/** The field of a setting as it stands. */
export function fieldOf(settings: Settings, name: SettingName): SettingField {
  return {
    value: textsOf(settings.current())[name],
    problem: null,
    environment: textsOf(settings.environment)[name],
    isChanged: settings.changed()[name] !== undefined,
  }
}

/** A form of settings has a second button that goes back to what the environment says. */
export function isBackToEnvironment(form: URLSearchParams): boolean {
  return form.get('to') === 'environment'
}
