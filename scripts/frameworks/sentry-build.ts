import type { Application } from './application.ts'

/**
 * Shell commands that configure Sentry's build plugins, which upload source maps. The last command writes the release to a
 * file for `start`, because only the build gets the release.
 */
const settings = [
  'export SENTRY_URL="$SIXPANE_URL" SENTRY_AUTH_TOKEN=sxp_any SENTRY_ORG=any SENTRY_PROJECT=any',
  'export SENTRY_RELEASE="shop@$SIXPANE_RELEASE"',
  'echo "$SENTRY_RELEASE" > release',
]

/** Adds the environment variables of Sentry's SDKs to an application's commands. Visitors see the event id. */
export function withSentry({
  build,
  start,
}: Pick<Application, 'build' | 'start'>): Pick<Application, 'build' | 'start' | 'visibleId'> {
  return {
    build: [...settings, build].join(' && '),
    start: `export SENTRY_RELEASE=$(cat release) && ${start}`,
    visibleId: /digest\W+([\da-f]{32})\b/i,
  }
}
