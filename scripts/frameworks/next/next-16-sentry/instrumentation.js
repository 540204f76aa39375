import * as Sentry from '@sentry/nextjs'
import { options } from './sentry.js'

export function register() {
  Sentry.init(options)
}

export const onRequestError = Sentry.captureRequestError
