import type { FastifyInstance } from 'fastify'
import { createApp } from './app.ts'
import type { Build } from './build.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { createChangingClean } from './events/clean.ts'
import { mostKeys } from './events/known-keys.ts'
import { createNormalise } from './events/normalise.ts'
import { createEvents } from './events/queue.ts'
import { ownEvents } from './events/self-log.ts'
import { startWatch } from './failures/failure-monitor.ts'
import { createFailures } from './failures/failures.ts'
import { startReidentify } from './failures/regroup.ts'
import { createLogger } from './logger.ts'
import { startRetention } from './retention.ts'
import { measureProcess } from './self-metrics/process-metrics.ts'
import { startOwnFigures } from './self-metrics/self-metrics.ts'
import type { RuntimeSettings } from './settings/runtime-settings.ts'
import { openSettings } from './settings/service-settings.ts'
import { openServiceMaps } from './source-maps/service-maps.ts'
import { openDuckDbStore } from './store/duckdb/store.ts'
import { createWebhooks } from './webhooks/webhooks.ts'

export type Sixpane = {
  app: FastifyInstance
  context: Context
  /** Says no to what is asked for anew, finishes what is under way, and lets go of everything. */
  stop(): Promise<void>
}

/**
 * Opens the store and builds the application on it; does not listen.
 * @throws StoreUnavailableError when the store can't be used
 */
export async function openSixpane(config: Config, build: Build): Promise<Sixpane> {
  const { clean, redact } = createChangingClean(config.redactPaths)
  const own = ownEvents()
  const { logger, aside } = createLogger({
    level: config.logLevel,
    release: build.version,
    clean,
    offer: own.offer,
  })
  const store = await openDuckDbStore({ folder: config.dataFolder, logger: aside })
  const settings = await openSettings({ store: store.settings, config, logger })
  const apply = ({ logLevel, redactPaths }: RuntimeSettings) => {
    logger.level = aside.level = logLevel
    redact(redactPaths)
  }
  apply(settings.current())
  settings.onChange(apply)
  const sourceMaps = await openServiceMaps({
    store: store.sourceMaps,
    limitBytes: config.sourceMapsLimitBytes,
  })
  const failures = createFailures({ build, services: sourceMaps })
  const normalise = createNormalise(clean, failures)
  const requestKeys = await store.requestKeys(mostKeys)
  const events = createEvents({ store, logger: aside, requestKeys, identify: failures.identify })
  own.connect(events, normalise)
  const webhooks = createWebhooks({ store, config, logger })
  const watch = await startWatch({ store, events, logger, notify: webhooks.notify })
  const reidentify = startReidentify({ store, identify: failures.identify, logger })
  const figures = measureProcess()
  const drain = new AbortController()
  const context: Context = {
    config,
    build,
    logger,
    settings,
    store,
    events,
    normalise,
    failures,
    sourceMaps,
    reidentify,
    webhooks,
    process: figures,
    draining: drain.signal,
  }
  const app = await createApp(context)
  const stopRetention = startRetention(context)
  const stopOwnFigures = startOwnFigures(context)

  return {
    app,
    context,
    async stop() {
      drain.abort()
      await app.close()
      settings.stop()
      stopRetention()
      stopOwnFigures()
      figures.stop()
      await watch.stop()
      await reidentify.stop()
      await webhooks.stop()
      await events.close()
      await store.close()
    },
  }
}
