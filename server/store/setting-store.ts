/** Settings of the service that somebody changed on the screen: what is not here is as the environment says. */
export type SettingStore = {
  /** In the order of their names. */
  list(): Promise<StoredSetting[]>
  /** Makes changes, all or none: `null` forgets what was kept under the name. */
  save(changes: readonly SettingChange[], changedMs: number): Promise<void>
}

export type StoredSetting = { name: string; value: string; changedMs: number }
export type SettingChange = { name: string; value: string | null }
