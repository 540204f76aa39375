import { readUrl } from '../../cli/options.ts'

/** The options of every module that prepares builds. */
export type BuildOptions = {
  /** Sixpane's URL; default: `SIXPANE_URL`. Without a URL, the build creates no source maps. */
  url?: string | undefined
  /** A token from the settings screen, needed if Sixpane requires sign-in; default: `SIXPANE_TOKEN`. */
  token?: string | undefined
  /** Sixpane's password, used instead of a token; default: `SIXPANE_PASSWORD`. */
  password?: string | undefined
  /** The name of the application in its events; default: `OTEL_SERVICE_NAME`. Without a name, the maps apply to any service. */
  service?: string | undefined
  /**
   * The release of the build; default: `SIXPANE_RELEASE` (in Next.js also in the configuration's `env`),
   * `NEXT_DEPLOYMENT_ID`, `VERCEL_GIT_COMMIT_SHA`, the git commit, or else a random id.
   */
  release?: string | undefined
}

/** Where a build uploads its source maps, and for which service. */
export type UploadTarget = {
  url: string
  token: string | undefined
  password: string | undefined
  service: string | null
}

/**
 * Completes the options from the environment. Returns `null` without a URL.
 * @param caller the name of the function or module in the error message
 * @throws UsageError if the URL is invalid
 */
export function uploadTarget(options: BuildOptions, caller: string): UploadTarget | null {
  const { env } = process
  const url = options.url || env.SIXPANE_URL
  if (!url) return null
  return {
    url: readUrl(url, `the url of ${caller}, or SIXPANE_URL,`),
    token: options.token || env.SIXPANE_TOKEN || undefined,
    password: options.password || env.SIXPANE_PASSWORD,
    service: options.service || env.OTEL_SERVICE_NAME || null,
  }
}
