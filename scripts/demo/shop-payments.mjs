// @ts-check
import { setTimeout as sleep } from 'node:timers/promises'
import { createService, listen, logErrors } from './service.mjs'

/** Starts the service that charges cards. @param {{ write: (line: string) => void }} options */
export async function openPayments({ write }) {
  const app = createService({ name: 'shop-payments', version: '1.9.3', write })
  logErrors(app)

  app.post('/charges', async request => {
    const { card, totalCents } = /** @type {{ card: string, totalCents: number }} */ (request.body)
    await sleep(30 + Math.random() * 60)
    request.log.info({ totalCents }, 'Authorising the payment')
    try {
      authorize(card)
    } catch (cause) {
      throw new PaymentError('The card was declined', { cause })
    }
    return { paid: totalCents }
  })

  return listen(app)
}

/** @param {string} card */
function authorize(card) {
  if (card === 'stolen') throw new BankError('Refused with code 43: stolen card, pick up')
}

class BankError extends Error {
  /** @override */
  name = 'BankError'
}

class PaymentError extends Error {
  /** @override */
  name = 'PaymentError'
  statusCode = 502
}
