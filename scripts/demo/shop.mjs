// @ts-check
import { openApi } from './shop-api.mjs'
import { openPayments } from './shop-payments.mjs'
import { openWeb } from './shop-web.mjs'
import { openWarehouse } from './warehouse.mjs'

/**
 * Starts the shop: three services and a warehouse, each on its own local port.
 * @param {{ write: (line: string) => void }} log receives the JSON lines of the services
 */
export async function openShop(log) {
  const warehouse = await openWarehouse()
  const payments = await openPayments(log)
  const api = await openApi({ ...log, warehouse: warehouse.url })
  const web = await openWeb({ ...log, api: api.url, payments: payments.url })
  return {
    url: web.url,
    /** Closes the services from front to back, so that each completes its requests. */
    async close() {
      for (const each of [web, api, payments, warehouse]) await each.close()
    },
  }
}
