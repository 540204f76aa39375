import type { SettingField } from '../../../shared/screens/settings.ts'
import type { LiveSettings } from '../../settings/live-settings.ts'
import { formatSettings, type RuntimeKey } from '../../settings/runtime-settings.ts'
import { runtimeSettings } from '../../settings/table.ts'
import type { Outcome } from './form-outcome.ts'

/** Returns the form field of a setting with its current value. */
export function fieldOf(settings: LiveSettings, key: RuntimeKey): SettingField {
  return {
    value: formatSettings(settings.current())[key],
    problem: null,
    environment: formatSettings(settings.environment)[key],
    isChanged: settings.changed()[key] !== undefined,
  }
}

/** Whether the form was submitted with the “Reset to environment” button. */
export function isReset(form: URLSearchParams): boolean {
  return form.get('to') === 'environment'
}

/** Returns the outcome of a form that saved a setting. */
export function settingSaved(key: RuntimeKey): Outcome {
  return { kind: 'saved', code: `${runtimeSettings[key].section}-changed` }
}
