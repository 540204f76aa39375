import { isDeepStrictEqual } from 'node:util'
import type { Logger } from '../logger.ts'
import type { SettingStore, StoredSetting } from '../store/setting-store.ts'
import type { Config } from './config.ts'
import {
  problemOf,
  type RuntimeSettings,
  runtimeKeyOf,
  runtimeKeys,
  type SettingTexts,
  textsOf,
  withOverrides,
} from './runtime-settings.ts'
import { runtimeSettings } from './table.ts'

/**
 * Interval at which stored changes are reloaded, for store engines that several processes share. Only one process can open
 * a DuckDB store.
 */
const reloadEveryMs = 5000

/** The settings that can be changed while the service runs; docs/decisions/0011-settings.md. */
export type LiveSettings = {
  /** The current values. */
  current(): RuntimeSettings
  /** The values from the environment, without any changes. */
  readonly environment: RuntimeSettings
  /** The changed settings. */
  changed(): Partial<SettingTexts>
  /**
   * Stores changes, all or none, and applies them in this process at once. A value equal to the environment's is
   * deleted from the store instead, so that the environment decides again.
   * @throws ConfigError if a value is invalid: see `problemOf`
   */
  save(changes: Partial<SettingTexts>): Promise<void>
  /** Calls back after each change, whether it was saved here or found by a reload. */
  onChange(listener: (settings: RuntimeSettings) => void): void
  stop(): void
}

/** Opens the live settings: reads the stored changes, and reloads them regularly. */
export async function openLiveSettings(options: {
  store: SettingStore
  config: Config
  logger: Pick<Logger, 'info' | 'warn' | 'isLevelEnabled'>
  nowMs?: () => number
  everyMs?: number
}): Promise<LiveSettings> {
  const { store, config, logger, nowMs = Date.now, everyMs = reloadEveryMs } = options
  const environment = withOverrides(config, {})
  const listeners: ((settings: RuntimeSettings) => void)[] = []
  let stored = await store.list()
  let changes = validChanges(stored, logger)
  let current = withOverrides(environment, changes)
  let isFailing = false

  const apply = (list: StoredSetting[]) => {
    if (isDeepStrictEqual(list, stored)) return
    stored = list
    changes = validChanges(list, logger)
    const next = withOverrides(environment, changes)
    if (isDeepStrictEqual(next, current)) return
    current = next
    // Logged while the old or the new level allows it.
    const logChange = () => logger.info({ settings: next }, 'Settings changed')
    const isLoggedBefore = logger.isLevelEnabled('info')
    if (isLoggedBefore) logChange()
    for (const listener of listeners) listener(next)
    if (!isLoggedBefore) logChange()
  }
  const reload = async () => {
    try {
      apply(await store.list())
      isFailing = false
    } catch (err) {
      // Logged once per series of failures. The current settings still apply.
      if (!isFailing) logger.warn({ err }, 'Failed to reload settings')
      isFailing = true
    }
  }

  const timer = setInterval(reload, everyMs)
  timer.unref()
  return {
    current: () => current,
    environment,
    changed: () => changes,
    async save(changes) {
      const after = textsOf(withOverrides(environment, changes))
      const before = textsOf(environment)
      const list = runtimeKeys
        .filter(key => changes[key] !== undefined)
        .map(key => ({
          name: runtimeSettings[key].variable,
          value: after[key] === before[key] ? null : after[key],
        }))
      await store.save(list, nowMs())
      apply(await store.list())
    },
    onChange(listener) {
      listeners.push(listener)
    },
    stop: () => clearInterval(timer),
  }
}

/** Changes that another version stored and this one cannot read stay in the store, but do not apply. */
function validChanges(list: readonly StoredSetting[], logger: Pick<Logger, 'warn'>): Partial<SettingTexts> {
  const valid: { -readonly [K in keyof SettingTexts]?: string } = {}
  for (const { name, value } of list) {
    const key = runtimeKeyOf(name)
    if (key === undefined) continue
    const problem = problemOf(key, value)
    if (problem === null) valid[key] = value
    else logger.warn({ setting: name, problem }, 'Invalid stored setting: the environment applies instead')
  }
  return valid
}
