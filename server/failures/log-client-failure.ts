import type { Exception } from '../../shared/event.ts'
import { screenAt } from '../../shared/screens.ts'
import type { Build } from '../build.ts'
import type { Logger } from '../logger.ts'
import type { Failures } from './failures.ts'

/** Logs an exception that one of Sixpane's pages reported. Returns its digest. */
export async function logClientFailure(
  reported: Exception,
  path: string,
  message: string,
  { log }: { log: Pick<Logger, 'error'> },
  { failures, build }: { failures: Pick<Failures, 'describeReported'>; build: Pick<Build, 'version'> },
): Promise<string> {
  const { exception, digest } = await failures.describeReported(reported)
  // A browser can send any path. Only screen paths are logged as routes.
  const route = screenAt(path) === undefined ? null : path
  log.error({ err: exception, digest, side: 'client', route, release: build.version }, message)
  return digest
}
