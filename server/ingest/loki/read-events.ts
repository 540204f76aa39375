import type { NewEvent } from '../../../shared/event.ts'
import type { Context } from '../../context.ts'
import { mostEvents, takingTurns } from '../ingest-request.ts'
import { RefusedBodyError } from '../read-body.ts'
import { createWhyTooOld } from '../retention-check.ts'
import { type Stream, tooMany } from './push.ts'
import { readLabelFields, recordOf } from './record.ts'

export type Pushed = {
  events: NewEvent[]
  /** What the events amount to: labels stand once in the body, and are kept with each entry. */
  sizeBytes: number
  rejected: number
  /** Why the first was. */
  reason: string
}

/** With the labels of usual clients, a body amounts to two or three times its size. */
const mostTimes = 4

/**
 * Reads the events of a push, all or (by an error) none; entries that can't be read, or are older than what is kept, are counted.
 * @throws RefusedBodyError
 */
export async function readEvents(
  body: Buffer,
  read: (body: Buffer) => Iterable<Stream>,
  { normalise, settings }: Pick<Context, 'normalise' | 'settings'>,
  limitBytes: number,
): Promise<Pushed> {
  const pushed: Pushed = { events: [], sizeBytes: body.length, rejected: 0, reason: '' }
  const nowMs = Date.now()
  const whyTooOld = createWhyTooOld(settings, nowMs)
  const reject = (reason: string) => {
    if (pushed.rejected === 0) pushed.reason = reason
    pushed.rejected += 1
  }
  const turn = takingTurns()
  let streams = 0
  for (const { labels, entries } of read(body)) {
    await turn()
    streams += 1
    if (streams > mostEvents) throw tooMany('streams')
    const said = readLabelFields(labels)
    const saidBytes = JSON.stringify(labels).length
    for (const entry of entries) {
      await turn()
      if ('reason' in entry) reject(entry.reason)
      else {
        const { metadata } = entry
        const all = metadata === null ? said : readLabelFields({ ...labels, ...metadata })
        const event = normalise(recordOf(all, entry, nowMs), 'loki', nowMs)
        const tooOld = whyTooOld(event)
        if (tooOld === null) {
          pushed.events.push(event)
          pushed.sizeBytes += saidBytes
        } else reject(tooOld)
      }
      if (pushed.events.length + pushed.rejected > mostEvents) throw tooMany('entries')
      if (pushed.sizeBytes > mostTimes * limitBytes) throw tooWide(limitBytes)
    }
  }
  return pushed
}

function tooWide(limitBytes: number): RefusedBodyError {
  const most = (mostTimes * limitBytes) / 1e6
  return new RefusedBodyError(
    413,
    `The entries are larger than ${most} MB, each with the labels of its stream: send them in several requests`,
  )
}
