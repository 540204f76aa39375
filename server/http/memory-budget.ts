import { HttpError } from './http-error.ts'

/** The memory that one request reserves. */
export type MemoryLease = {
  /** Reserves memory before it is used. @throws HttpError 429 if too much is in use */
  reserve(sizeBytes: number): void
  /** Releases everything that was reserved. */
  release(): void
}

export type MemoryBudget = {
  openLease(): MemoryLease
  /** The number of bytes that all leases have reserved. */
  usedBytes(): number
}

const retryAfterSeconds = 2

/**
 * Limits the total memory of all requests. A request may exceed the limit while no other request uses memory, so every
 * request within its individual limit is eventually accepted.
 */
export function createMemoryBudget(maxBytes: number): MemoryBudget {
  let usedBytes = 0
  return {
    openLease() {
      let leaseBytes = 0
      return {
        reserve(sizeBytes) {
          const isAlone = usedBytes === leaseBytes
          if (!isAlone && usedBytes + sizeBytes > maxBytes) throw tooBusy()
          usedBytes += sizeBytes
          leaseBytes += sizeBytes
        },
        release() {
          usedBytes -= leaseBytes
          leaseBytes = 0
        },
      }
    },
    usedBytes: () => usedBytes,
  }
}

function tooBusy(): HttpError {
  const message =
    'Too much data is being received at once. Nothing from this request was stored: send it again.'
  return new HttpError(429, message, { 'retry-after': retryAfterSeconds })
}
