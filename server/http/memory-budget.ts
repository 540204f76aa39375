import { HttpError } from './http-error.ts'

/** Memory that one request uses. */
export type MemoryLease = {
  /** Reserves memory before it is used. @throws HttpError 429 if too much is in use */
  reserve(sizeBytes: number): void
  /** Returns everything that was reserved. */
  release(): void
}

export type MemoryBudget = {
  openLease(): MemoryLease
  /** The bytes that all leases have reserved. */
  usedBytes(): number
}

const retryAfterSeconds = 2

/**
 * Limits the memory that all requests use together. A request that is alone may exceed the limit, so that every request
 * within its own limit is accepted eventually.
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
