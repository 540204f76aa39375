/**
 * An error response. Throw it in a handler or hook; the error handler sends it as `{ error, message, ...details }`. Clients
 * see the message, so it must not reveal internal causes.
 */
export class HttpError extends Error {
  override name = 'HttpError'
  constructor(
    readonly statusCode: number,
    message: string,
    readonly headers: Readonly<Record<string, string | number>> = {},
    readonly details: object = {},
  ) {
    super(message)
  }
}
