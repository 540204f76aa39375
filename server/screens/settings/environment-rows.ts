import type { SettingsSection } from '../../../shared/screens/settings.ts'
import type { Config } from '../../settings/config.ts'
import type { LiveSettings } from '../../settings/live-settings.ts'
import { isDefault, type RuntimeSettings, runtimeKeys } from '../../settings/runtime-settings.ts'
import { keysOf, mapKeys, type Table } from '../../settings/setting.ts'
import { runtimeSettings, startSettings } from '../../settings/table.ts'

/** A Sixpane setting and its environment variable. */
export type EnvironmentRow = {
  variable: string
  value: string
  meaning: string
  /** The section in which users can change the setting; `null` if only the environment can change it. */
  section: SettingsSection | null
  /** The environment's value, if a value set on the screen overrides it. */
  environmentValue: string | null
  /** Whether `environmentValue` is the default. Used only if `environmentValue` is not `null`. */
  isDefault: boolean
}

/** Returns all settings with their current values, formatted without secrets. */
export function environmentRows(config: Config, settings: LiveSettings): EnvironmentRow[] {
  const atStart = displayed<StartSettings>(startSettings, config)
  const current = displayed<RuntimeSettings>(runtimeSettings, settings.current())
  const environment = displayed<RuntimeSettings>(runtimeSettings, settings.environment)
  const changed = settings.changed()
  return [
    ...keysOf(startSettings).map(key => ({
      variable: startSettings[key].variable,
      value: atStart[key],
      meaning: startSettings[key].meaning,
      section: null,
      environmentValue: null,
      isDefault: false,
    })),
    ...runtimeKeys.map(key => ({
      variable: runtimeSettings[key].variable,
      value: current[key],
      meaning: runtimeSettings[key].meaning,
      section: runtimeSettings[key].section,
      environmentValue: changed[key] === undefined ? null : environment[key],
      isDefault: isDefault(settings.environment, key),
    })),
  ]
}

type StartSettings = Pick<Config, keyof typeof startSettings>

function displayed<V extends object>(table: Table<V>, values: V): Record<Extract<keyof V, string>, string> {
  const display = <K extends Extract<keyof V, string>>(key: K) => table[key].display(values[key])
  return mapKeys<Record<Extract<keyof V, string>, string>>(table, display)
}
