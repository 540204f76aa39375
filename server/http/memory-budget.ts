import { HttpError } from './http-error.ts'

/** The memory that one request reserves. */
export type MemoryLease = {
  /** Reserves memory before it is used. @throws HttpError 429 if too much is in use */
  reserve(sizeBytes: number): void
  /** Releases everything that was reserved. */
  release(): void
}

export type MemoryBudget = {
  /** @param client all leases of a client share half of the budget; without a client, only the total is limited */
  openLease(client?: string): MemoryLease
  /** The number of bytes that all leases have reserved. */
  usedBytes(): number
}

const retryAfterSeconds = 2

/**
 * Limits the total memory of all requests. One client gets at most half of it, so that a client that keeps its requests
 * open cannot block the others. A request may exceed a limit while no other request counts towards it, so every request
 * within its individual limit is eventually accepted.
 */
export function createMemoryBudget(maxBytes: number): MemoryBudget {
  let usedBytes = 0
  const bytesOfClients = new Map<string | symbol, number>()
  return {
    openLease(client: string | symbol = Symbol('one request')) {
      let leaseBytes = 0
      const add = (sizeBytes: number) => {
        leaseBytes += sizeBytes
        usedBytes += sizeBytes
        const clientBytes = (bytesOfClients.get(client) ?? 0) + sizeBytes
        if (clientBytes === 0) bytesOfClients.delete(client)
        else bytesOfClients.set(client, clientBytes)
      }
      return {
        reserve(sizeBytes) {
          const clientBytes = bytesOfClients.get(client) ?? 0
          const isOverLimit = usedBytes !== leaseBytes && usedBytes + sizeBytes > maxBytes
          const isOverShare = clientBytes !== leaseBytes && clientBytes + sizeBytes > maxBytes / 2
          if (isOverLimit || isOverShare) throw tooBusy()
          add(sizeBytes)
        },
        release: () => add(-leaseBytes),
      }
    },
    usedBytes: () => usedBytes,
  }
}

function tooBusy(): HttpError {
  const message =
    'Sixpane is receiving too much data at once. Nothing from this request was stored. Send it again.'
  return new HttpError(429, message, { 'retry-after': retryAfterSeconds })
}
