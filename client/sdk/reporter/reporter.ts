import { requestIds } from '../request-context.ts'
import { type Failure, recordOf } from './record.ts'
import { createSender } from './sender.ts'

/** The options of every module that reports a server's failures. */
export type ReportOptions = {
  /** Sixpane's URL; default: `SIXPANE_URL` or `http://127.0.0.1:3000`. */
  url?: string | undefined
  /** A token from the settings screen, needed if Sixpane requires sign-in; default: `SIXPANE_TOKEN`. */
  token?: string | undefined
  /** Sixpane's password, used instead of a token; default: `SIXPANE_PASSWORD`. */
  password?: string | undefined
  /** The name of the application; default: `OTEL_SERVICE_NAME` or the framework's name. */
  service?: string | undefined
  /**
   * The release of the application; default: the release of the build, `SIXPANE_RELEASE`, `NEXT_DEPLOYMENT_ID` or
   * `VERCEL_GIT_COMMIT_SHA`.
   */
  release?: string | undefined
}

/**
 * Creates a function that sends failures to Sixpane. Its promise resolves when the failure is stored, or after one second.
 * It never rejects.
 * @param framework the default name of the service, and part of the module's name in warnings: `next`
 */
export function createReporter(
  framework: string,
  options: ReportOptions,
): (failure: Failure) => Promise<void> {
  const env = globalThis.process?.env ?? {}
  const send = createSender(`sixpane/${framework}`, {
    url: options.url || env.SIXPANE_URL || 'http://127.0.0.1:3000',
    token: options.token || env.SIXPANE_TOKEN || undefined,
    password: options.password || env.SIXPANE_PASSWORD,
  })
  const writer = {
    service: options.service || env.OTEL_SERVICE_NAME || framework,
    release: options.release || builtRelease() || env.NEXT_DEPLOYMENT_ID || env.VERCEL_GIT_COMMIT_SHA,
  }
  return async failure => {
    try {
      await send(JSON.stringify({ ...writer, ...readableRecordOf(failure), ...requestIds() }))
    } catch {
      // A failure that cannot be reported must not cause another one in the application.
    }
  }
}

/** Bundlers replace the whole expression with the release of the build. */
function builtRelease(): string | undefined {
  try {
    return process.env.SIXPANE_RELEASE
  } catch {
    // The runtime has no `process`.
    return undefined
  }
}

/** Reading the thrown value may itself throw. The record then contains only the rest of the failure, such as its digest. */
function readableRecordOf(failure: Failure): object {
  try {
    return recordOf(failure, Date.now())
  } catch {
    return recordOf({ ...failure, error: 'The thrown value cannot be read' }, Date.now())
  }
}
