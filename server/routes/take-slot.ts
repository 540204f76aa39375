import type { FastifyRequest } from 'fastify'
import { clientAddress } from '../http/client-address.ts'
import { HttpError } from '../http/http-error.ts'
import type { createReaderSlots, ReaderLimits, ReaderSlot } from './reader-slots.ts'

/** The stall limits of all streams. */
export const stallLimits: Pick<ReaderLimits, 'maxStallMs' | 'minStallMs'> = {
  maxStallMs: 30_000,
  minStallMs: 1000,
}

/**
 * Takes a slot for the client that sent a request. The client is disconnected if it loses the slot.
 * @param texts `name`: the name of the stream, with an article; `busyMessage`: the message if no slot is free
 * @param abort aborts the work for the client
 * @throws HttpError 503 if no slot is free
 */
export function takeSlot(
  slots: Pick<ReturnType<typeof createReaderSlots>, 'take'>,
  request: FastifyRequest,
  texts: { name: string; busyMessage: string },
  abort: () => void,
): ReaderSlot {
  const slot = slots.take(clientAddress(request), () => {
    request.log.info(
      `Disconnected ${texts.name}: its client read too slowly, or another client needed its slot`,
    )
    abort()
    // A reset also frees the data in the kernel's buffers.
    request.raw.socket.resetAndDestroy()
  })
  if (slot === null) throw noFreeSlot(texts.busyMessage)
  return slot
}

export function noFreeSlot(busyMessage: string): HttpError {
  return new HttpError(503, `${busyMessage}. Try again later`, { 'retry-after': 10 })
}
