import { isDeepStrictEqual } from 'node:util'
import type { Logger } from '../logger.ts'
import type { Replicas } from '../store/replicas.ts'
import type { SettingStore, StoredSetting } from '../store/setting-store.ts'
import type { Config } from './config.ts'
import {
  type FormattedSettings,
  formatSettings,
  problemOf,
  type RuntimeSettings,
  runtimeKeyOf,
  runtimeKeys,
  withOverrides,
} from './runtime-settings.ts'
import { runtimeSettings } from './table.ts'

/** Settings that users can change while the service runs. See docs/decisions/0011-settings.md. */
export type LiveSettings = {
  /** The current values. */
  current(): RuntimeSettings
  /** The values from the environment, without any changes. */
  readonly environment: RuntimeSettings
  /** The changed settings. */
  changed(): Partial<FormattedSettings>
  /**
   * Stores changes atomically, and applies them immediately. If a value equals the environment's, deletes the stored value
   * instead, so that the environment applies again.
   * @throws ConfigError if a value is invalid: see `problemOf`
   */
  save(changes: Partial<FormattedSettings>): Promise<void>
  /** Calls `listener` after each change. */
  onChange(listener: (settings: RuntimeSettings) => void): void
}

/** Reads the stored changes, and rereads them after another replica has changed the state. */
export async function openLiveSettings(options: {
  store: { settings: SettingStore; replicas: Pick<Replicas, 'onState'> }
  config: Config
  logger: Pick<Logger, 'info' | 'warn' | 'isLevelEnabled'>
  nowMs?: () => number
}): Promise<LiveSettings> {
  const {
    store: { settings: store, replicas },
    config,
    logger,
    nowMs = Date.now,
  } = options
  const environment = withOverrides(config, {})
  const listeners: ((settings: RuntimeSettings) => void)[] = []
  let stored = await store.list()
  let changes = validChanges(stored, logger)
  let current = withOverrides(environment, changes)

  const apply = (list: StoredSetting[]) => {
    if (isDeepStrictEqual(list, stored)) return
    stored = list
    changes = validChanges(list, logger)
    const next = withOverrides(environment, changes)
    if (isDeepStrictEqual(next, current)) return
    current = next
    // Logs the change before applying it if the old log level includes `info`, and otherwise after applying it.
    const logChange = () => logger.info({ settings: next }, 'Settings changed')
    const isLoggedBefore = logger.isLevelEnabled('info')
    if (isLoggedBefore) logChange()
    for (const listener of listeners) listener(next)
    if (!isLoggedBefore) logChange()
  }

  replicas.onState(async () => {
    try {
      apply(await store.list())
    } catch (err) {
      logger.warn({ err }, 'Failed to read the settings that another replica has changed')
    }
  })

  return {
    current: () => current,
    environment,
    changed: () => changes,
    async save(changes) {
      const after = formatSettings(withOverrides(environment, changes))
      const before = formatSettings(environment)
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
  }
}

/** Ignores changes that this version cannot read. They remain stored for the version that wrote them. */
function validChanges(
  list: readonly StoredSetting[],
  logger: Pick<Logger, 'warn'>,
): Partial<FormattedSettings> {
  const valid: { -readonly [K in keyof FormattedSettings]?: string } = {}
  for (const { name, value } of list) {
    const key = runtimeKeyOf(name)
    if (key === undefined) continue
    const problem = problemOf(key, value)
    if (problem === null) valid[key] = value
    else logger.warn({ setting: name, problem }, 'Invalid stored setting: using the environment instead')
  }
  return valid
}
