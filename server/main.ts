import { fileURLToPath } from 'node:url'
import { errorCode } from '../shared/error-code.ts'
import { readBuild } from './build.ts'
import { ConfigError, readConfig } from './settings/config.ts'
import { describeStore } from './settings/store-address.ts'
import { type StartedModules, startModules } from './start-modules.ts'
import { createStopSignals } from './stop-signals.ts'
import { StoreUnavailableError } from './store/store.ts'

/** The process exits after this time even if the shutdown is incomplete. */
const stopWithinMs = 10_000

// In a container, the kernel ignores signals that the first process does not handle, so Sixpane handles them during startup.
let onSignal: (signal: string) => void = () => process.exit()
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => onSignal(signal))

try {
  // Prevents other users from reading the store files, which contain events, tokens and webhook URLs.
  process.umask(0o077)
  const config = readConfig(process.env)
  const build = await readBuild(fileURLToPath(new URL('..', import.meta.url)))
  const modules = await startModules(config, build)
  const { logger } = modules.context
  await modules.app
    .listen({
      host: config.host,
      port: config.port,
      listenTextResolver: address => `Listening at ${address}`,
    })
    .catch(async error => {
      await modules.stop()
      throw error
    })
  const address = modules.app.listeningOrigin
  logger.info({ address, data: config.dataFolder, store: describeStore(config.storeAddress) }, 'Started')
  if (process.stdout.isTTY) process.stderr.write(`\n  Sixpane ${build.version} is ready at ${address}\n\n`)
  for (const kind of ['uncaughtException', 'unhandledRejection'] as const) {
    process.once(kind, (error: unknown) => void crash(modules, error))
  }
  let exitCode = 0
  onSignal = createStopSignals({
    stop: signal => void stop(modules, signal).then(() => process.exit(exitCode)),
    forceStop: signal => {
      logger.warn({ signal }, 'Stopping without waiting for requests')
      exitCode = 1
      modules.forceStop()
    },
  })
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exit(1)
}

async function stop(modules: StartedModules, signal: string): Promise<void> {
  const { logger } = modules.context
  logger.info({ signal }, 'Stopping')
  setTimeout(() => {
    process.stderr.write(`Sixpane did not stop within ${stopWithinMs} ms\n`)
    process.exit(1)
  }, stopWithinMs).unref()
  await modules.stop()
  logger.info('Stopped')
}

/** Logs an uncaught exception as a failure, then exits because the process state is unknown. */
async function crash(modules: StartedModules, error: unknown): Promise<void> {
  const { logger, failures, build } = modules.context
  setTimeout(() => process.exit(1), stopWithinMs).unref()
  const { digest, exception } = await failures.describe(error)
  logger.fatal({ err: exception, digest, release: build.version }, 'Uncaught exception')
  await modules.stop()
  process.exit(1)
}

/** Explains to the operator why Sixpane cannot start and how to fix it, in one line per problem. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.problems.map(problem => `Sixpane: ${problem}`).join('\n')
  if (error instanceof StoreUnavailableError) return `Sixpane: ${error.message}`
  const code = errorCode(error)
  if (code === 'EADDRINUSE') {
    const port = error instanceof Error && 'port' in error ? ` ${error.port}` : ''
    return `Sixpane: port${port} is taken: set PORT to another port, or stop the process that uses it`
  }
  if (code === 'EACCES') return 'Sixpane: this user cannot use the port: set PORT to a port above 1023'
  if (code === 'EADDRNOTAVAIL') return 'Sixpane: HOST is not an address of this machine'
  return `Sixpane: ${error instanceof Error ? error.message : String(error)}`
}
