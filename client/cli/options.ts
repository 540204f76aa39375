import { parseArgs } from 'node:util'

/** A parsed command line. Omitted options are `null`. */
export type Command =
  | { do: 'help' | 'version' | 'serve' | 'doctor' }
  | { do: 'backup'; file: string; url: string | null }
  | { do: 'restore'; file: string }
  /** The options for `copy.js`. */
  | { do: 'copy'; options: string[] }
  | { do: 'pipe'; service: string | null; release: string | null; url: string | null }
  | {
      do: 'upload'
      folder: string
      release: string
      /** An empty string means any service. */
      service: string | null
      url: string | null
      isDryRun: boolean
    }

/** An invalid command line; `message` explains how to fix it. */
export class UsageError extends Error {
  override name = 'UsageError'
}

export const help = `Usage:
  node app.js 2>&1 | sixpane [--service NAME] [--release R]
      Forwards its input to standard output and sends it to Sixpane. Each JSON line becomes one
      event, and so does each stack trace in plain text. If Sixpane is not running, the command
      starts it. In a terminal, the command runs until Ctrl+C.
  sixpane
      Starts Sixpane on http://127.0.0.1:3000. HOST and PORT change the address. If standard
      input is not a terminal, use: sixpane serve
  sixpane sourcemaps upload --release R [--service NAME] [--dry-run] FOLDER
      Uploads the source maps in FOLDER, so that stack traces show your source code.
  sixpane backup FILE
      Downloads everything that a running Sixpane server has stored. If users must sign in, this
      needs the password, or a token with the permission to download backups. To back up a
      ClickHouse database, use ClickHouse's own tools instead.
  sixpane restore FILE
      Checks a backup and restores it into the empty folder SIXPANE_DATA, which must not be in
      use by a running Sixpane server.
  sixpane copy --from SOURCE --to TARGET
      Copies everything that is stored, for example from DuckDB to ClickHouse. SOURCE and TARGET
      can be a data folder or clickhouse://user:password@host:8443/database. SOURCE can also be
      the address of a running Sixpane server. This needs the same authentication as a backup.
      Repeat the command to continue an interrupted copy, or to copy new data.
  sixpane doctor
      Checks the configuration, the store, the disk, the clock and the addresses that Sixpane
      depends on, and explains problems. Run it with Sixpane's environment variables.

Options:
  --service NAME  The service for lines that do not specify one. Default: the name in package.json,
                  or else the name of the folder.
                  For source maps: the service that runs the code, with the same name as in its
                  events. Default: OTEL_SERVICE_NAME, or else the name in package.json. An empty
                  name ('') means any service.
  --release R     The release for lines that do not specify one, or for the source maps.
  --url URL       Sixpane's address. Default: SIXPANE_URL, or else http://127.0.0.1:3000,
                  where PORT changes the port.
  --from-file FILE, --to-file FILE
                  Like --from and --to, with a file that contains the address, so that the
                  password is not visible in the list of processes.
  --dry-run       Lists the source maps without uploading them.
  --help, --version

If Sixpane requires authentication, set SIXPANE_TOKEN (created on /settings), SIXPANE_PASSWORD
or SIXPANE_PASSWORD_FILE, a file that contains the password.
If the command starts Sixpane, data is stored in the ClickHouse database specified by
SIXPANE_STORE, or else in the folder SIXPANE_DATA, or else in ~/.local/share/sixpane.`

/**
 * @param isTerminal whether standard input is a terminal instead of the output of another program
 * @throws UsageError
 */
export function readCommand(args: readonly string[], isTerminal: boolean): Command {
  const { values, positionals } = parse(args)
  if (values.help) return { do: 'help' }
  if (values.version) return { do: 'version' }
  const url = values.url === undefined ? null : readUrl(values.url, '--url')
  const { service = null, release = null } = values

  const [first, second, folder, ...more] = positionals
  if (first === 'sourcemaps') {
    if (second !== 'upload' || folder === undefined || more.length > 0)
      throw new UsageError('usage: sixpane sourcemaps upload --release R [--service NAME] FOLDER')
    if (release === null)
      throw new UsageError('missing --release R, the release that the source maps belong to')
    return { do: 'upload', folder, release, service, url, isDryRun: values['dry-run'] === true }
  }
  if (first === 'copy') {
    const { from, to, 'from-file': fromFile, 'to-file': toFile } = values
    const locations = { '--from': from, '--to': to, '--from-file': fromFile, '--to-file': toFile }
    const isComplete = (from ?? fromFile) !== undefined && (to ?? toFile) !== undefined
    if (second !== undefined || !isComplete)
      throw new UsageError('usage: sixpane copy --from SOURCE --to TARGET')
    return {
      do: 'copy',
      options: Object.entries(locations).flatMap(([name, value]) =>
        value === undefined ? [] : `${name}=${value}`,
      ),
    }
  }
  if (first === 'doctor' && second === undefined) return { do: 'doctor' }
  if (first === 'backup' || first === 'restore') {
    if (second === undefined || folder !== undefined) throw new UsageError(`usage: sixpane ${first} FILE`)
    return first === 'backup' ? { do: first, file: second, url } : { do: first, file: second }
  }
  if (values.from ?? values.to ?? values['from-file'] ?? values['to-file'])
    throw new UsageError('--from and --to are options of sixpane copy')
  if (values['dry-run']) throw new UsageError('--dry-run is an option of sixpane sourcemaps upload')
  if (first === 'serve' && second === undefined) return { do: 'serve' }
  if (first !== undefined) throw new UsageError(`unknown command: ${positionals.join(' ')}`)
  if (!isTerminal) return { do: 'pipe', service, release, url }
  if (args.length > 0)
    throw new UsageError(`no input; pipe the output of a program: node app.js | sixpane ${args.join(' ')}`)
  return { do: 'serve' }
}

/** @throws UsageError */
export function readUrl(text: string, from: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError(`${from} must be a URL such as http://127.0.0.1:3000`)
  return new URL(text).origin
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        service: { type: 'string' },
        release: { type: 'string' },
        url: { type: 'string' },
        from: { type: 'string' },
        to: { type: 'string' },
        'from-file': { type: 'string' },
        'to-file': { type: 'string' },
        'dry-run': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    })
  } catch (error) {
    // The first sentence describes the problem. The rest suggests alternatives.
    const [problem = ''] = error instanceof Error ? error.message.split(/\. |\n/) : []
    throw new UsageError(problem)
  }
}
