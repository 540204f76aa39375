/** `sixpane copy --from SOURCE --to TARGET`: copies the entire contents of one store to another. */
import { parseArgs } from 'node:util'
import { CopyError } from './copy/copy-error.ts'
import { copyEvents } from './copy/copy-events.ts'
import { copySourceMaps } from './copy/copy-source-maps.ts'
import { copyState } from './copy/copy-state.ts'
import { openSource, openTarget, throwIfSame } from './copy/open-place.ts'
import { describePlace, type Place, readPlace } from './copy/place.ts'
import { type CopyResult, describeDifferences, describeResult } from './copy/report.ts'
import { showProgress } from './copy/show-progress.ts'
import { StoreUnavailableError } from './store/store.ts'

const say = (line: string) => void process.stderr.write(`${line}\n`)
const stopping = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort())

try {
  process.umask(0o077)
  const { source, target } = readPlaces(process.argv.slice(2))
  const result = await copy(source, target, stopping.signal)
  for (const line of describeResult(result)) process.stdout.write(`${line}\n`)
  const differences = describeDifferences(result.events)
  if (differences === null) process.stdout.write('The target contains everything in the source\n')
  else throw new CopyError(differences)
} catch (error) {
  say(`Sixpane: ${messageOf(error)}`)
  process.exitCode = 1
}

/** @throws CopyError */
function readPlaces(args: readonly string[]): { source: Place; target: Place } {
  const text = { type: 'string' } as const
  const options = { from: text, to: text, 'from-file': text, 'to-file': text }
  try {
    const { values } = parseArgs({ args: [...args], options })
    return {
      source: readPlace({ option: 'from', value: values.from, file: values['from-file'] }),
      target: readPlace({ option: 'to', value: values.to, file: values['to-file'] }),
    }
  } catch (error) {
    if (error instanceof CopyError) throw error
    throw new CopyError('usage: sixpane copy --from SOURCE --to TARGET')
  }
}

async function copy(from: Place, to: Place, signal: AbortSignal): Promise<CopyResult> {
  await throwIfSame(from, to)
  say(`Copying from ${describePlace(from)} to ${describePlace(to)}`)
  // Opens the target first, because opening the source may start a long download.
  const target = await openTarget(to)
  try {
    const source = await openSource({
      place: from,
      token: process.env.SIXPANE_TOKEN || undefined,
      signal,
      say,
    })
    try {
      const sourceMaps = await copySourceMaps(source.store, target.store, signal)
      const progress = showProgress({
        isTerminal: process.stderr.isTTY === true,
        write: text => void process.stderr.write(text),
        nowMs: Date.now,
      })
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
  if (stopping.signal.aborted) return 'stopped. Run the same command again to continue'
  if (error instanceof CopyError) return error.message
  if (error instanceof StoreUnavailableError) return error.message.replaceAll('SIXPANE_STORE', 'its address')
  const message = error instanceof Error ? error.message : String(error)
  return /ENOSPC|no space left/i.test(message)
    ? `the disk is full (${message}). Free some space, and run the same command again`
    : message
}
