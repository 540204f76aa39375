#!/usr/bin/env node
/** The `sixpane` command: starts Sixpane, sends it standard input or source maps, and runs the maintenance commands. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { authorizationHeaders } from './authorization.ts'
import { downloadBackup } from './download-backup.ts'
import { findServer, missingServer } from './find-server.ts'
import { joinLocalServer, startLocalServer } from './local-server.ts'
import { help, readCommand, readUrl, UsageError } from './options.ts'
import { nearestPackageName } from './package-name.ts'
import { readPassword } from './read-password.ts'
import { runPipe } from './run-pipe.ts'
import { uploadSourceMaps } from './sourcemaps/upload.ts'

const packageFile = new URL('../package.json', import.meta.url)
const env = process.env
const print = (line: string) => void process.stdout.write(`${line}\n`)
const printError = (line: string) => void process.stderr.write(`Sixpane: ${line}\n`)

// The program that reads the messages may exit before all events are stored.
process.stderr.on('error', () => {})
try {
  // Sets the exit code instead of exiting, so that pending output is written.
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  printError(`${error.message} (see sixpane --help)`)
  process.exitCode = 2
}

/**
 * @returns the exit code; `undefined` if this process becomes the server, which sets the exit code itself
 * @throws UsageError
 */
async function run(args: readonly string[]): Promise<number | undefined> {
  const command = readCommand(args, process.stdin.isTTY === true)
  const port = Number(env.PORT) || 3000
  const envUrl = env.SIXPANE_URL ? readUrl(env.SIXPANE_URL, 'SIXPANE_URL') : null
  const token = env.SIXPANE_TOKEN || undefined
  // https://specifications.freedesktop.org/basedir-spec/latest/
  const dataFolder =
    env.SIXPANE_DATA || join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'sixpane')

  switch (command.do) {
    case 'help':
      print(help)
      return 0
    case 'version':
      print(JSON.parse(await readFile(packageFile, 'utf8')).version)
      return 0
    case 'serve': {
      const server = findServer()
      if (server === null) {
        printError(`can't start: ${missingServer}`)
        return 1
      }
      env.SIXPANE_DATA = dataFolder
      await import(pathToFileURL(server).href)
      return undefined
    }
    case 'backup':
      return downloadBackup({
        file: command.file,
        url: command.url ?? envUrl ?? `http://127.0.0.1:${port}`,
        headers: authorizationHeaders(token, readPassword(env)),
        print,
        printError,
      })
    case 'restore':
      return runServerProgram('restore.js', [command.file], dataFolder)
    case 'copy':
      return runServerProgram('copy.js', command.options, dataFolder)
    case 'doctor':
      return runServerProgram('doctor.js', [], dataFolder)
    case 'upload': {
      const url = command.url ?? envUrl ?? `http://127.0.0.1:${port}`
      const destination = command.isDryRun
        ? null
        : { url, headers: authorizationHeaders(token, readPassword(env)) }
      const workingFolder = process.cwd()
      const service =
        command.service ??
        (env.OTEL_SERVICE_NAME || (await nearestPackageName(command.folder, workingFolder)))
      return uploadSourceMaps({
        ...command,
        service: service || null,
        destination,
        workingFolder,
        print,
        printError,
      })
    }
    case 'pipe': {
      const password = readPassword(env)
      // The user may have set these variables for the application whose output is piped in.
      const serverEnv = { ...env, LOG_LEVEL: 'info', NODE_OPTIONS: '', OTEL_EXPORTER_OTLP_ENDPOINT: '' }
      return runPipe({
        ...command,
        url: command.url ?? envUrl,
        token,
        password,
        port,
        join: () => joinLocalServer(dataFolder),
        start: port => startLocalServer(findServer(), serverEnv, { port, dataFolder }),
        // Scripts and CI wait for the command to exit.
        staysOpen: process.stderr.isTTY === true && !env.CI,
        headers: authorizationHeaders(undefined, password),
        printError,
      })
    }
  }
}

/** Runs a program that belongs to the server. Returns its exit code. */
async function runServerProgram(name: string, args: readonly string[], dataFolder: string): Promise<number> {
  const server = findServer()
  if (server === null) {
    printError(missingServer)
    return 1
  }
  const program = fileURLToPath(new URL(name, pathToFileURL(server)))
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...env, SIXPANE_DATA: dataFolder },
    stdio: 'inherit',
  })
  // Ctrl+C also signals the program, which then stops at a safe point.
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
  const [code] = await once(child, 'exit')
  return Number(code ?? 1)
}
