import type { Attributes } from '../../../shared/event.ts'
import { ratingOf, type VitalName, vitalNames } from '../../../shared/vitals.ts'
import { vitalRecord } from '../browser/browser-report.ts'
import { number, object, present, text } from './json-fields.ts'
import { plainAttributes } from './plain-attributes.ts'
import { splitName } from './request-record.ts'
import { originOf, type Sender, serviceIn, timeOf } from './sender.ts'
import { tagsOf } from './tags.ts'

/** A page load or interaction in a browser, from a transaction or a span. */
type Page = {
  time: Attributes[string] | undefined
  route: string | null
  release: string | null
  namedService: string | null
  read: (name: VitalName) => number | null
}

/** Returns the Web Vitals that a transaction measured, as log records. */
export function transactionVitals(transaction: Attributes, sender: Sender): Attributes[] {
  const measurements = object(transaction.measurements)
  return recordsOf(
    {
      time: transaction.timestamp,
      route: splitName(text(transaction.transaction) ?? '').path,
      release: text(transaction.release),
      namedService: serviceIn(tagsOf(transaction.tags)),
      read: name => number(object(measurements[name.toLowerCase()]).value),
    },
    sender,
  )
}

/** Like `transactionVitals`, for a span outside a transaction. */
export function singleSpanVitals(span: Attributes, sender: Sender): Attributes[] {
  const data = object(span.data)
  return transactionVitals(
    { ...span, transaction: data.transaction ?? null, release: data.release ?? null, tags: data },
    sender,
  )
}

/** Like `transactionVitals`, for a streamed span. */
export function spanVitals(span: Attributes, sender: Sender): Attributes[] {
  const attributes = plainAttributes(span.attributes)
  const name = text(attributes['sentry.segment.name'])
  return recordsOf(
    {
      time: span.end_timestamp,
      // `Pageload` is the name of every segment without a route.
      route: name === null || name === 'Pageload' ? text(attributes['url.path']) : splitName(name).path,
      release: text(attributes['sentry.release']),
      namedService: serviceIn(attributes),
      read: vital => number(attributes[`browser.web_vital.${vital.toLowerCase()}.value`]),
    },
    sender,
  )
}

function recordsOf({ time, route, release, namedService, read }: Page, sender: Sender): Attributes[] {
  return vitalNames.flatMap(name => {
    const value = read(name)
    if (value === null || value < 0) return []
    const rated = ratingOf(name, value)
    const rating = rated === 'needs improvement' ? 'needs-improvement' : rated
    return {
      ...vitalRecord({ name, value, rating }, route ?? 'a page'),
      ...present({ time: timeOf(time, sender), route }),
      level: 'info',
      ...originOf(sender, { named: namedService, release }),
    }
  })
}
