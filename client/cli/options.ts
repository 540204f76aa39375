import { parseArgs } from 'node:util'

/** What the command line asks for. `url` is `null` where nobody named one. */
export type Command =
  | { do: 'help' | 'version' | 'serve' }
  | { do: 'pipe'; service: string | null; release: string | null; url: string | null }
  | {
      do: 'upload'
      folder: string
      release: string
      /** `''`: the maps are for any service. */
      service: string | null
      url: string | null
      isDryRun: boolean
    }

/** The command line can't be read: `message` says what to write instead. */
export class UsageError extends Error {
  override name = 'UsageError'
}

export const help = `Usage:
  node app.js 2>&1 | sixpane [--service NAME] [--release R]
      Passes everything through, and sends it to Sixpane: JSON lines as they are, plain text with
      its traces put together. Starts a Sixpane where none runs yet, and stops it at the end.
  sixpane
      Starts Sixpane, on http://127.0.0.1:3000 (HOST, PORT). Without a terminal: sixpane serve
  sixpane sourcemaps upload --release R [--service NAME] [--dry-run] FOLDER
      Sends the source maps in FOLDER, so that failures of the service show your own source.

Options:
  --service NAME  for lines that name none; else the name in package.json, else the folder's.
                  For source maps: the service that runs the code, as its events name it; else
                  OTEL_SERVICE_NAME, else the name in package.json. '' is for any service
  --release R     the version of what runs, for lines that name none
  --url URL       where Sixpane is; else SIXPANE_URL, else http://127.0.0.1:3000
  --dry-run       lists what would be sent
  --help, --version

SIXPANE_TOKEN (made on /settings) or SIXPANE_PASSWORD opens a Sixpane that asks for one.
A Sixpane that is started here keeps its events in SIXPANE_DATA, else in ~/.local/share/sixpane.`

/**
 * @param isTerminal standard input is one: nothing is piped in
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
      throw new UsageError('write sixpane sourcemaps upload --release R [--service NAME] FOLDER')
    if (release === null) throw new UsageError('name the release that the maps are of: --release R')
    return { do: 'upload', folder, release, service, url, isDryRun: values['dry-run'] === true }
  }
  if (values['dry-run']) throw new UsageError('--dry-run is of sixpane sourcemaps upload')
  if (first === 'serve' && second === undefined) return { do: 'serve' }
  if (first !== undefined) throw new UsageError(`there is no command ${positionals.join(' ')}`)
  if (!isTerminal) return { do: 'pipe', service, release, url }
  if (args.length > 0) throw new UsageError(`nothing is piped in: node app.js | sixpane ${args.join(' ')}`)
  return { do: 'serve' }
}

/** @throws UsageError */
export function readUrl(text: string, from: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError(`${from} must be an address such as http://127.0.0.1:3000`)
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
    // Its first sentence says what is wrong; the others guess at what was meant.
    const [said = ''] = error instanceof Error ? error.message.split(/\. |\n/) : []
    throw new UsageError(said)
  }
}
