import { ownService } from './event.ts'

/** The response to `GET /livez`. It contains Sixpane's name, because other servers also respond with a status. */
export const liveness = { status: 'ok', service: ownService }

/** Whether the body of a response to `GET /livez` is from Sixpane. */
export function isLiveness(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'service' in body && body.service === ownService
}
