import type { Logger } from '../logger.ts'
import type { ServerAddress } from './clickhouse/engine/server-address.ts'
import { openDuckDbStore } from './duckdb/store.ts'
import { type Store, StoreUnavailableError } from './store.ts'

type StoreLogger = Pick<Logger, 'error' | 'warn' | 'info'>

export type StoreConfig = {
  /** The ClickHouse database. `null` means DuckDB in the data folder. */
  storeAddress: ServerAddress | null
  dataFolder: string
  /** The memory limit of DuckDB; `null` means the default. */
  engineMemoryBytes: number | null
}

export type OpenedStore = {
  store: Store
  /**
   * Copies all stored data to an empty folder, unless the signal aborts. Returns the number of events. `null` if the
   * database has its own backup tools.
   */
  backup: ((folder: string, signal: AbortSignal) => Promise<number>) | null
}

/**
 * Opens the configured store. Loads the ClickHouse engine only if it is needed.
 * @throws StoreUnavailableError if the store cannot be used
 */
export async function openStore(config: StoreConfig, logger: StoreLogger): Promise<OpenedStore> {
  return config.storeAddress === null ? openDuckDb(config, logger) : openClickHouse(config.storeAddress)
}

async function openClickHouse(address: ServerAddress): Promise<OpenedStore> {
  const { openClickHouseStore } = await import('./clickhouse/store.ts')
  try {
    return { store: await openClickHouseStore(address), backup: null }
  } catch (error) {
    if (error instanceof StoreUnavailableError || !(error instanceof Error)) throw error
    const [reason] = error.message.split('\n', 1)
    const advice = 'Run sixpane doctor, which checks the version and the privileges'
    throw new StoreUnavailableError(`the ClickHouse database cannot be used: ${reason}. ${advice}`, {
      cause: error,
    })
  }
}

async function openDuckDb(
  { dataFolder, engineMemoryBytes }: StoreConfig,
  logger: StoreLogger,
): Promise<OpenedStore> {
  const store = await openDuckDbStore({ folder: dataFolder, memoryBytes: engineMemoryBytes, logger })
  return { store, backup: store.backup }
}
