import type { FastifyInstance } from 'fastify'
import { createAudit } from './audit/audit.ts'
import type { Build } from './build.ts'
import type { Context } from './context.ts'
import { createConfigurableClean } from './events/clean.ts'
import { createNormalise } from './events/normalise.ts'
import { createEvents } from './events/queue.ts'
import { createSelfLog } from './events/self-log.ts'
import { startFailureMonitor } from './failures/failure-monitor.ts'
import { createFailures } from './failures/failures.ts'
import { startMuteTimer } from './failures/mute-timer.ts'
import { startRegrouping } from './failures/regroup.ts'
import { createSignatures } from './failures/signatures.ts'
import { createRequestMemory } from './http/request-memory.ts'
import { createHttpApp } from './http-app.ts'
import { followConnections } from './http-connections.ts'
import { createLogger, type Logger } from './logger.ts'
import { createNotifications } from './notifications/notifications.ts'
import { webhookChannel } from './notifications/webhook/webhook.ts'
import { startRetention } from './retention-timer.ts'
import { measureProcess } from './self-metrics/process-metrics.ts'
import { startSelfMetrics } from './self-metrics/self-metrics.ts'
import { localOrigin } from './settings/addresses.ts'
import type { Config } from './settings/config.ts'
import { openLiveSettings } from './settings/live-settings.ts'
import type { RuntimeSettings } from './settings/runtime-settings.ts'
import { createShutdown } from './shutdown.ts'
import { openServiceMaps } from './source-maps/service-maps.ts'
import { createMutex } from './store/common/mutex.ts'
import { openStore } from './store/open-store.ts'
import { traceStore } from './tracing/trace-store.ts'
import { passOnTraces, type Tracing } from './tracing/tracing.ts'

export type StartedModules = {
  app: FastifyInstance
  context: Context
  /**
   * Makes the readiness probe fail, serves open connections for a moment longer, completes requests in progress, and stops
   * all modules.
   */
  stop(): Promise<void>
  /** Makes `stop` cut off requests instead of waiting for them. Acknowledged events are still stored. */
  forceStop(): void
}

/**
 * Opens the store, starts all modules, and creates the application without listening.
 * @throws StoreUnavailableError if the store cannot be opened
 */
export async function startModules(startConfig: Config, build: Build): Promise<StartedModules> {
  // For port 0, the system chooses the port when the server starts to listen.
  let { publicOrigin } = startConfig
  const config: Config = Object.freeze({
    ...startConfig,
    get publicOrigin() {
      return publicOrigin
    },
  })
  const { clean, setPaths } = createConfigurableClean(config.redactPaths)
  const selfLog = createSelfLog()
  const { logger, internalLogger } = createLogger({
    level: config.logLevel,
    release: build.version,
    clean,
    onLine: selfLog.enqueue,
  })
  const shutdown = createShutdown(logger)
  const isTracing = config.tracesEndpoint !== ''
  const tracing = isTracing ? await startExport(build, internalLogger) : passOnTraces()
  shutdown.onStop('tracing', tracing.stop)
  const { store, backup } = await openStore(config, internalLogger)
  shutdown.onStop('store', store.close)
  const settings = await openLiveSettings({ store, config, logger })
  const apply = ({ logLevel, redactPaths }: RuntimeSettings) => {
    logger.level = internalLogger.level = logLevel
    setPaths(redactPaths)
  }
  apply(settings.current())
  settings.onChange(apply)
  const sourceMaps = await openServiceMaps({
    store: store.sourceMaps,
    limitBytes: config.sourceMapsLimitBytes,
    logger,
  })
  const failures = createFailures({ build, services: sourceMaps })
  const normalise = createNormalise(clean, failures)
  const events = createEvents({
    store,
    logger: internalLogger,
    fingerprintEvents: failures.fingerprintEvents,
  })
  shutdown.onStop('events', events.close)
  selfLog.connect(events, normalise)
  const notifications = createNotifications({ store, channel: webhookChannel(tracing.fetch), config, logger })
  shutdown.onStop('notifications', notifications.stop)
  const signatures = createSignatures({ store, failures })
  const withScanLock = createMutex()
  const failureMonitor = await startFailureMonitor({
    store,
    signatures,
    events,
    logger,
    notify: notifications.notify,
    withScanLock,
  })
  shutdown.onStop('failure monitor', failureMonitor.stop)
  const regrouping = startRegrouping({
    store,
    fingerprintEvents: failures.fingerprintEvents,
    withScanLock,
    signatures,
    logger,
  })
  shutdown.onStop('regroup', regrouping.stop)
  store.replicas.onState(async () => {
    const hasChanged = await sourceMaps.refresh().catch(() => false)
    if (hasChanged) void regrouping.wake()
  })
  const processMetrics = measureProcess()
  shutdown.onStop('process metrics', processMetrics.stop)
  const drain = new AbortController()
  const context: Context = {
    config,
    build,
    logger,
    settings,
    store: isTracing ? traceStore(store, tracing) : store,
    events,
    memory: createRequestMemory(),
    normalise,
    failures,
    failureMonitor,
    sourceMaps,
    regrouping,
    notifications,
    process: processMetrics,
    audit: createAudit(store.audit, logger),
    tracing,
    backup,
    draining: drain.signal,
  }
  shutdown.onStop('retention', startRetention(context).stop)
  shutdown.onStop('mute timer', startMuteTimer(context).stop)
  shutdown.onStop('self-metrics', startSelfMetrics(context))

  // Listeners start last, so that they stop first. Listeners for protocols other than HTTP belong here too.
  const app = await createHttpApp(context)
  app.server.once('listening', () => {
    const address = app.server.address()
    if (config.hasPublicOrigin || address === null || typeof address === 'string') return
    publicOrigin = localOrigin({ host: config.host, port: address.port })
  })
  const connections = followConnections(app.server)
  const forceStop = new AbortController()
  shutdown.onStop('HTTP server', () => connections.close(() => app.close(), forceStop.signal))
  shutdown.onStop('readiness', () => {
    drain.abort()
    return connections.drain(forceStop.signal)
  })
  return { app, context, stop: shutdown.stop, forceStop: () => forceStop.abort() }
}

/** Imports the exporter only when it is needed, because most installations do not export traces. */
async function startExport({ version }: Build, logger: Logger): Promise<Tracing> {
  const { exportSpans } = await import('./tracing/export-spans.ts')
  return exportSpans(version, logger)
}
