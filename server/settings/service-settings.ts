import { isDeepStrictEqual } from 'node:util'
import type { Config } from '../config.ts'
import type { Logger } from '../logger.ts'
import type { SettingStore, StoredSetting } from '../store/setting-store.ts'
import {
  changeable,
  isChangeable,
  overlaid,
  problemOf,
  type ServiceSettings,
  type SettingName,
  textsOf,
} from './values.ts'

/** How soon this process knows what another one on the same store has changed. */
const readEveryMs = 5000

/** The settings that can be changed while the service runs; docs/decisions/0010-settings.md. */
export type Settings = {
  /** What holds at this moment. */
  current(): ServiceSettings
  /** What holds where nothing was changed. */
  readonly environment: ServiceSettings
  /** What was changed, as its variable would say it. */
  changed(): Readonly<Partial<Record<SettingName, string>>>
  /**
   * Keeps changes, all or none, and lets them hold in this process at once. What is as the environment says is
   * not kept: the environment decides it from then on.
   * @throws ConfigError where one of them can't be read: see `problemOf`
   */
  save(changes: Readonly<Partial<Record<SettingName, string>>>): Promise<void>
  /** Calls back with what holds after each change, whoever made it. */
  onChange(listener: (settings: ServiceSettings) => void): void
  stop(): void
}

/** Reads what was changed, and goes on looking for what others change. */
export async function openSettings(options: {
  store: SettingStore
  config: Config
  logger: Pick<Logger, 'info' | 'warn' | 'isLevelEnabled'>
  nowMs?: () => number
  everyMs?: number
}): Promise<Settings> {
  const { store, config, logger, nowMs = Date.now, everyMs = readEveryMs } = options
  const environment = overlaid(config, {})
  const listeners: ((settings: ServiceSettings) => void)[] = []
  let kept = await store.list()
  let texts = readable(kept, logger)
  let current = overlaid(environment, texts)
  let isFailing = false

  const take = (list: StoredSetting[]) => {
    if (isDeepStrictEqual(list, kept)) return
    kept = list
    texts = readable(list, logger)
    const next = overlaid(environment, texts)
    if (isDeepStrictEqual(next, current)) return
    current = next
    // A level that is lowered must not hide that it was, nor one that is raised.
    const say = () => logger.info({ settings: next }, 'Settings changed')
    const isHeard = logger.isLevelEnabled('info')
    if (isHeard) say()
    for (const listener of listeners) listener(next)
    if (!isHeard) say()
  }
  const readAnew = async () => {
    try {
      take(await store.list())
      isFailing = false
    } catch (err) {
      // Said once for all tries in a row; what holds goes on to hold.
      if (!isFailing) logger.warn({ err }, 'Failed to read the settings anew')
      isFailing = true
    }
  }

  const timer = setInterval(readAnew, everyMs)
  timer.unref()
  return {
    current: () => current,
    environment,
    changed: () => texts,
    async save(changes) {
      const after = textsOf(overlaid(environment, changes))
      const before = textsOf(environment)
      const list = changeable
        .filter(name => changes[name] !== undefined)
        .map(name => ({ name, value: after[name] === before[name] ? null : after[name] }))
      await store.save(list, nowMs())
      take(await store.list())
    },
    onChange(listener) {
      listeners.push(listener)
    },
    stop: () => clearInterval(timer),
  }
}

/** What a later version kept, or one with other bounds, stays in the store and does not hold here. */
function readable(
  list: readonly StoredSetting[],
  logger: Pick<Logger, 'warn'>,
): Partial<Record<SettingName, string>> {
  const texts: Partial<Record<SettingName, string>> = {}
  for (const { name, value } of list) {
    if (!isChangeable(name)) continue
    const problem = problemOf(name, value)
    if (problem === null) texts[name] = value
    else logger.warn({ setting: name, problem }, 'A kept setting can not be read: the environment decides it')
  }
  return texts
}
