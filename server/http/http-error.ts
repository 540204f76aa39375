/**
 * A response with an error status, to be thrown by a handler or hook. The error handler sends it as
 * `{ error, message, ...details }`. The client reads the message, so it must not contain causes.
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
