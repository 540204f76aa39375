/** Settings that users changed on /settings. All other settings come from the environment. */
export type SettingStore = {
  /** Ordered by name. */
  list(): Promise<StoredSetting[]>
  /** Stores changes atomically. A `null` value deletes the setting. */
  save(changes: readonly SettingChange[], changedMs: number): Promise<void>
}

export type StoredSetting = { name: string; value: string; changedMs: number }
export type SettingChange = { name: string; value: string | null }
