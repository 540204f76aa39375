import { withSentryConfig } from '@sentry/nextjs/config'

const sentry = {
  org: 'any',
  project: 'any',
  sentryUrl: process.env.SIXPANE_URL,
  authToken: 'sxp_any',
  release: { name: `shop@${process.env.SIXPANE_RELEASE}` },
  silent: true,
  telemetry: false,
}

export default withSentryConfig({}, sentry)
