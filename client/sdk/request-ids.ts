/**
 * `sixpane/request-ids`: gives all log lines of a request the same trace id. Import it before the other modules:
 *
 *   import 'sixpane/request-ids'
 *
 * pino's lines get the ids automatically. For other loggers, add the fields of `requestIds()` to each line.
 */
import { startRequestContext } from './request-context.ts'

export { type RequestIds, requestIds } from './request-context.ts'

startRequestContext()
