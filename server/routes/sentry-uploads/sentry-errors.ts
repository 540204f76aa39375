import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../http/http-error.ts'

/** Adds `detail` to the errors of a scope, because `sentry-cli` shows only this field. */
export function sendErrorDetails(scope: FastifyInstance): void {
  scope.setErrorHandler(async error => {
    if (!(error instanceof HttpError)) throw error
    const { statusCode, message, headers, details } = error
    throw new HttpError(statusCode, message, headers, { ...details, detail: message })
  })
}
