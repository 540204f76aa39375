import type { Application } from './application.ts'

/**
 * Settings of Sentry's build plugins, which upload source maps. Also writes the release to a file, because the running server
 * does not know it.
 */
const uploads = [
  'export SENTRY_URL="$SIXPANE_URL" SENTRY_AUTH_TOKEN=sxp_any SENTRY_ORG=any SENTRY_PROJECT=any',
  'export SENTRY_RELEASE="shop@$SIXPANE_RELEASE"',
  'echo "$SENTRY_RELEASE" > release',
]

/** Adds the environment variables of Sentry's SDKs to an application's commands. Visitors see the id of the event. */
export function withSentry({
  build,
  start,
}: Pick<Application, 'build' | 'start'>): Pick<Application, 'build' | 'start' | 'visitorsId'> {
  return {
    build: [...uploads, build].join(' && '),
    start: `export SENTRY_RELEASE=$(cat release) && ${start}`,
    visitorsId: /digest\W+([\da-f]{32})\b/i,
  }
}
