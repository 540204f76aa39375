// @ts-check
import { openApi } from './shop-api.mjs'
import { openPayments } from './shop-payments.mjs'
import { openWeb } from './shop-web.mjs'
import { openWarehouse } from './warehouse.mjs'

/**
 * Opens the shop: three services and a warehouse that they ask, each on a port of its own of this machine.
 * @param {{ write: (line: string) => void }} log takes the JSON lines of the three
 */
export async function openShop(log) {
  const warehouse = await openWarehouse()
  const payments = await openPayments(log)
  const api = await openApi({ ...log, warehouse: warehouse.url })
  const web = await openWeb({ ...log, api: api.url, payments: payments.url })
  return {
    url: web.url,
    /** Each finishes what it has begun, from the front to the back. */
    async close() {
      for (const each of [web, api, payments, warehouse]) await each.close()
    },
  }
}
