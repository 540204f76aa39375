import { sentryOnBuildEnd } from '@sentry/react-router'

export default { ssr: true, buildEnd: sentryOnBuildEnd }
