import {
  type SettingField,
  type SettingsSection,
  settingsSections,
} from '../../../shared/screens/settings.ts'
import type { LiveSettings } from '../../settings/live-settings.ts'
import {
  formatSettings,
  isDefault,
  type RuntimeKey,
  runtimeKeys,
  withOverrides,
} from '../../settings/runtime-settings.ts'
import { runtimeSettings } from '../../settings/table.ts'
import type { Outcome } from './form-outcome.ts'
import { isOutdated, versionOf } from './form-version.ts'

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

/** Returns the version of a section's form. */
export function sectionVersion(settings: LiveSettings, section: SettingsSection): string {
  return versionOf(valuesIn(section, settings))
}

/**
 * Returns a problem if saving the text would undo a change that somebody made after the form was rendered, and otherwise
 * `null`. Text that equals the current value changes nothing, for example if a browser submits the form twice.
 */
export function outdatedProblem(
  form: URLSearchParams,
  settings: LiveSettings,
  key: RuntimeKey,
  text: string,
): string | null {
  const { section } = runtimeSettings[key]
  const current = formatSettings(settings.current())[key]
  if (text === current || !isOutdated(form, valuesIn(section, settings))) return null
  const stored = current === '' ? 'empty' : `“${current.replaceAll(',', ', ')}”`
  return `Somebody has changed the ${settingsSections[section].toLowerCase()} in the meantime. The stored value is ${stored}. Check it and save again`
}

function valuesIn(section: SettingsSection, settings: LiveSettings): string[] {
  const current = formatSettings(settings.current())
  return runtimeKeys.filter(key => runtimeSettings[key].section === section).map(key => current[key])
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
