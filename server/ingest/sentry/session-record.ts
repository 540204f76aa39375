import type { Attributes, Json } from '../../../shared/event.ts'
import { sessionEventName } from '../../../shared/sessions.ts'
import { list, number, object, present, text } from './json-fields.ts'
import { originOf, type Sender, timeOf } from './sender.ts'

type Counts = { started: number; crashed: number; abnormal: number }

/**
 * Converts an item of type `session` (https://develop.sentry.dev/sdk/telemetry/sessions/) to a log record. Returns an empty
 * list for an update that neither starts the session nor reports its failure, such as the update that ends it normally.
 */
export function sessionRecords(session: Attributes, sender: Sender): Attributes[] {
  const counts = countsOf(session)
  const time = counts.crashed + counts.abnormal > 0 ? (session.timestamp ?? session.started) : session.started
  return recordsOf(counts, session, time, sender)
}

/**
 * Returns a key that identifies the start or the failure of a session; `null` for other updates and those without an id.
 * SDKs report the same crash again with a later time, for example when the visitor opens another page.
 */
export function sessionKey(session: Attributes): string | null {
  const sid = text(session.sid)
  const { started, crashed, abnormal } = countsOf(session)
  if (sid === null || started + crashed + abnormal === 0) return null
  return `${sid} ${crashed + abnormal > 0 ? 'failed' : 'started'}`
}

function countsOf({ init, status }: Attributes): Counts {
  return {
    started: init === true ? 1 : 0,
    // Since version 11 of the SDK, sessions in browsers continue after an unhandled exception.
    crashed: status === 'crashed' || status === 'unhandled' ? 1 : 0,
    abnormal: status === 'abnormal' ? 1 : 0,
  }
}

/** Maximum number of aggregates in one item. An SDK sends one aggregate per user per minute. */
const maxAggregates = 1000

/** Converts an item of type `sessions`, which counts a server's requests per minute, to log records. */
export function aggregateRecords(sessions: Attributes, sender: Sender): Attributes[] {
  return list({ values: sessions.aggregates ?? [] })
    .slice(0, maxAggregates)
    .flatMap(each => {
      const { started, exited, errored, crashed, unhandled, abnormal } = object(each)
      const failed = { crashed: count(crashed) + count(unhandled), abnormal: count(abnormal) }
      const all = count(exited) + count(errored) + failed.crashed + failed.abnormal
      return recordsOf({ ...failed, started: all }, sessions, started, sender)
    })
}

/** Larger counts are mistakes, and are reduced to this limit. */
const maxCount = 1e6

function count(value: Json | undefined): number {
  const counted = number(value) ?? 0
  return Number.isInteger(counted) && counted > 0 ? Math.min(counted, maxCount) : 0
}

function recordsOf(
  sessions: Counts,
  { attrs }: Attributes,
  time: Json | undefined,
  sender: Sender,
): Attributes[] {
  if (sessions.started + sessions.crashed + sessions.abnormal === 0) return []
  const { release, environment } = object(attrs)
  return [
    {
      ...present({ time: timeOf(time, sender), 'deployment.environment.name': environment }),
      level: 'debug',
      msg: messageOf(sessions),
      'event.name': sessionEventName,
      sessions,
      ...originOf(sender, { named: null, release: text(release) }),
    },
  ]
}

function messageOf({ started, crashed, abnormal }: Counts): string {
  const parts = [
    started > 0 ? `${started} started` : '',
    crashed > 0 ? `${crashed} crashed` : '',
    abnormal > 0 ? `${abnormal} ended abnormally` : '',
  ]
  return `Sessions: ${parts.filter(part => part !== '').join(', ')}`
}
