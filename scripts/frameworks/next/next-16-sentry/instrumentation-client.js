import * as Sentry from '@sentry/nextjs'
import { options } from './sentry.js'

Sentry.init(options)

export const onRouterTransitionStart = Sentry.captureRouterTransitionStart
