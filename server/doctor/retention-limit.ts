import type { Config } from '../settings/config.ts'
import { parseSetting } from '../settings/setting.ts'
import { gigabyte, runtimeSettings } from '../settings/table.ts'

export type RetentionLimit = {
  limitBytes: number
  /** Says how to change the limit if only this much space is available. */
  advice(availableBytes: number): string
}

/**
 * Returns the limit that is in effect: a value saved on /settings overrides the environment.
 * @param saved the settings in the store; `null` if they cannot be read
 */
export function retentionLimit(
  saved: readonly { name: string; value: string }[] | null,
  { retentionGigabytes }: Pick<Config, 'retentionGigabytes'>,
): RetentionLimit {
  const setting = runtimeSettings.retentionGigabytes
  const value = saved?.find(({ name }) => name === setting.variable)?.value
  const parsed = value === undefined ? null : parseSetting(setting, value)
  const isSaved = parsed !== null && 'value' in parsed
  return {
    limitBytes: (isSaved ? parsed.value : retentionGigabytes) * gigabyte,
    advice(availableBytes) {
      // Leaves space for everything except events. The setting's minimum is 0.01.
      const gigabytes = Math.max(Math.floor((availableBytes * 80) / gigabyte) / 100, 0.01)
      return isSaved
        ? `Reduce the limit on /settings to at most ${gigabytes} GB`
        : `Set ${setting.variable} to at most ${gigabytes}${saved === null ? ' unless the limit was changed on /settings' : ''}`
    },
  }
}
