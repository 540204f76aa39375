import type { Audit } from './audit/audit.ts'
import type { Build } from './build.ts'
import type { Events } from './events/events.ts'
import type { Normalise } from './events/normalise.ts'
import type { FailureMonitor } from './failures/failure-monitor.ts'
import type { Failures } from './failures/failures.ts'
import type { Regrouping } from './failures/regroup.ts'
import type { RequestMemory } from './http/request-memory.ts'
import type { Logger } from './logger.ts'
import type { Notifications } from './notifications/notifications.ts'
import type { ProcessMetrics } from './self-metrics/process-metrics.ts'
import type { Config } from './settings/config.ts'
import type { LiveSettings } from './settings/live-settings.ts'
import type { ServiceMaps } from './source-maps/service-maps.ts'
import type { OpenedStore } from './store/open-store.ts'
import type { Store } from './store/store.ts'
import type { Tracing } from './tracing/tracing.ts'

/** Dependencies passed to every module. Modules share no other state. */
export type Context = {
  config: Config
  build: Build
  logger: Logger
  settings: LiveSettings
  store: Store
  events: Events
  /** Limits the total memory of all requests. */
  memory: RequestMemory
  /** Converts a record from any ingest endpoint to an event. */
  normalise: Normalise
  failures: Failures
  failureMonitor: Pick<FailureMonitor, 'scan'>
  sourceMaps: Pick<ServiceMaps, 'add' | 'version'>
  regrouping: Pick<Regrouping, 'wake'>
  notifications: Notifications
  process: ProcessMetrics
  audit: Audit
  tracing: Tracing
  backup: OpenedStore['backup']
  /** Aborts when shutdown starts. The readiness probe then fails, and each connection closes after its next response. */
  draining: AbortSignal
}
