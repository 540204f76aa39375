import { parseArgs } from 'node:util'

/** A parsed command line. Omitted options are `null`. */
export type Command =
  | { do: 'help' | 'version' | 'serve' }
  | { do: 'pipe'; service: string | null; release: string | null; url: string | null }
  | {
      do: 'upload'
      folder: string
      release: string
      /** `''` means any service. */
      service: string | null
      url: string | null
      isDryRun: boolean
    }

/** An invalid command line; `message` says how to fix it. */
export class UsageError extends Error {
  override name = 'UsageError'
}

export const help = `Usage:
  node app.js 2>&1 | sixpane [--service NAME] [--release R]
      Passes its input through and sends it to Sixpane: JSON lines unchanged, plain text with each
      stack trace as one event. Starts Sixpane if it is not running, and stops it at the end.
  sixpane
      Starts Sixpane on http://127.0.0.1:3000 (HOST, PORT). Without a terminal: sixpane serve
  sixpane sourcemaps upload --release R [--service NAME] [--dry-run] FOLDER
      Uploads the source maps in FOLDER, so that stack traces show your source code.

Options:
  --service NAME  the service of lines that do not name one; default: the name in package.json,
                  else that of the folder. For source maps: the service that runs the code, as
                  named in its events; default: OTEL_SERVICE_NAME, else the name in package.json;
                  '' means any service
  --release R     the release of lines that do not name one
  --url URL       the address of Sixpane; default: SIXPANE_URL, else http://127.0.0.1:3000
  --dry-run       list what would be uploaded
  --help, --version

If Sixpane requires authentication, set SIXPANE_TOKEN (created on /settings) or SIXPANE_PASSWORD.
A Sixpane started by this command stores its data in SIXPANE_DATA, else in ~/.local/share/sixpane.`

/**
 * @param isTerminal whether standard input is a terminal, so nothing is piped in
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
  if (values['dry-run']) throw new UsageError('--dry-run is an option of sixpane sourcemaps upload')
  if (first === 'serve' && second === undefined) return { do: 'serve' }
  if (first !== undefined) throw new UsageError(`unknown command: ${positionals.join(' ')}`)
  if (!isTerminal) return { do: 'pipe', service, release, url }
  if (args.length > 0) throw new UsageError(`no input; pipe some in: node app.js | sixpane ${args.join(' ')}`)
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
        'dry-run': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    })
  } catch (error) {
    // The first sentence describes the problem, the rest suggests what was meant.
    const [problem = ''] = error instanceof Error ? error.message.split(/\. |\n/) : []
    throw new UsageError(problem)
  }
}
