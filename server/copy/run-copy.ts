import { parseArgs } from 'node:util'
import type { Environment } from '../settings/setting.ts'
import { StoreUnavailableError } from '../store/store.ts'
import { CopyError } from './copy-error.ts'
import { copyEvents } from './copy-events.ts'
import { type CopyLocation, describeLocation, readLocation } from './copy-location.ts'
import { copySourceMaps } from './copy-source-maps.ts'
import { copyState } from './copy-state.ts'
import { openSource, openTarget, throwIfSame } from './open-location.ts'
import { type CopyResult, describeDifferences, describeResult } from './report.ts'
import { showProgress } from './show-progress.ts'

export type CopyOptions = {
  /** The arguments of the command, such as `--from`. */
  args: readonly string[]
  /** Contains the token or password for a running Sixpane server. */
  environment: Environment
  /** Stops the copy at a safe point. */
  signal: AbortSignal
  isTerminal: boolean
  /** Writes to standard output. */
  print(text: string): void
  /** Writes messages and the progress. */
  printError(text: string): void
}

/** Runs `sixpane copy`. Returns its exit code. */
export async function runCopy(options: CopyOptions): Promise<number> {
  const { args, signal, print, printError } = options
  try {
    const { source, target } = readLocations(args)
    const result = await copy(source, target, options)
    for (const line of describeResult(result)) print(`${line}\n`)
    const differences = describeDifferences(result.events)
    if (differences !== null) throw new CopyError(differences)
    print('The target contains everything in the source\n')
    return 0
  } catch (error) {
    const problem = signal.aborted ? 'stopped. Run the same command again to continue' : messageOf(error)
    printError(`Sixpane: ${problem}\n`)
    return 1
  }
}

/** @throws CopyError */
function readLocations(args: readonly string[]): { source: CopyLocation; target: CopyLocation } {
  const text = { type: 'string' } as const
  const options = { from: text, to: text, 'from-file': text, 'to-file': text }
  try {
    const { values } = parseArgs({ args: [...args], options })
    return {
      source: readLocation({ option: 'from', value: values.from, file: values['from-file'] }),
      target: readLocation({ option: 'to', value: values.to, file: values['to-file'] }),
    }
  } catch (error) {
    if (error instanceof CopyError) throw error
    throw new CopyError('usage: sixpane copy --from SOURCE --to TARGET')
  }
}

async function copy(
  from: CopyLocation,
  to: CopyLocation,
  { environment, signal, isTerminal, printError }: CopyOptions,
): Promise<CopyResult> {
  const printLine = (line: string) => printError(`${line}\n`)
  await throwIfSame(from, to)
  printLine(`Copying from ${describeLocation(from)} to ${describeLocation(to)}`)
  // Opens the target first, because opening the source may start a long download.
  const target = await openTarget(to)
  try {
    const source = await openSource({ location: from, environment, signal, printLine })
    try {
      const sourceMaps = await copySourceMaps(source.store, target.store, signal)
      const progress = showProgress({ isTerminal, write: printError, nowMs: Date.now })
      const events = await copyEvents(source.store, target.store, progress, signal).finally(progress.end)
      return { sourceMaps, events, state: await copyState(source.store, target.store) }
    } finally {
      await source.close()
    }
  } finally {
    await target.close()
  }
}

function messageOf(error: unknown): string {
  if (error instanceof CopyError) return error.message
  if (error instanceof StoreUnavailableError) return error.message.replaceAll('SIXPANE_STORE', 'its address')
  const message = error instanceof Error ? error.message : String(error)
  return /ENOSPC|no space left/i.test(message)
    ? `the disk is full (${message}). Free some space, and run the same command again`
    : message
}
