import { type SettingField, settingsSections } from '../../../shared/screens/settings.ts'
import type { LiveSettings } from '../../settings/live-settings.ts'
import { formatSettings, isDefault, type RuntimeKey, withOverrides } from '../../settings/runtime-settings.ts'
import { runtimeSettings } from '../../settings/table.ts'
import type { Outcome } from './form-outcome.ts'

/** Returns the form field of a setting with its current value. */
export function fieldOf(settings: LiveSettings, key: RuntimeKey): SettingField {
  return {
    value: formatSettings(settings.current())[key],
    problem: null,
    environment: formatSettings(settings.environment)[key],
    isDefault: isDefault(settings.environment, key),
    isChanged: settings.changed()[key] !== undefined,
  }
}

/** Whether the form was submitted with the “Reset to the environment’s value” button. */
export function isReset(form: URLSearchParams): boolean {
  return form.get('to') === 'environment'
}

/** Saves a setting. Returns an outcome with which the change can be undone. */
export async function saveSetting(settings: LiveSettings, key: RuntimeKey, value: string): Promise<Outcome> {
  const before = formatSettings(settings.current())[key]
  const after = formatSettings(withOverrides(settings.environment, { [key]: value }))[key]
  await settings.save({ [key]: value })
  const { section, variable } = runtimeSettings[key]
  const change = { action: `Changed ${settingsSections[section].toLowerCase()}`, details: value || 'none' }
  return {
    kind: 'saved',
    code: `${section}-changed`,
    undo: { kind: 'restore setting', name: variable, value: before, after },
    change,
  }
}
