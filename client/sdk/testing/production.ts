import type { Test } from 'tap'

/** Sets the environment of a production build, without the machine's variables that the build modules read. */
export function production(t: Test, env: Record<string, string> = {}) {
  const names = ['NODE_ENV', 'NEXT_DEPLOYMENT_ID', 'VERCEL_GIT_COMMIT_SHA', 'OTEL_SERVICE_NAME']
  const { env: before } = process
  t.intercept(process, 'env', {
    value: Object.fromEntries(
      Object.entries({ ...before, NODE_ENV: 'production', ...env }).filter(
        ([name]) => name in env || name === 'NODE_ENV' || !(names.includes(name) || /^SIXPANE_/.test(name)),
      ),
    ),
  })
}
