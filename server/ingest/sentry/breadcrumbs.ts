import type { Attributes, Json } from '../../../shared/event.ts'
import { list, object, present, text } from './json-fields.ts'
import { type Sender, timeOf } from './sender.ts'

/** Sentry's SDKs send up to 100. */
const maxBreadcrumbs = 100
const maxTextLength = 500

/**
 * Returns the newest breadcrumbs of an event, oldest first
 * (https://develop.sentry.dev/sdk/data-model/event-payloads/breadcrumbs/).
 */
export function breadcrumbsOf(given: Json | undefined, sender: Sender): Attributes[] {
  return list(given)
    .slice(-maxBreadcrumbs)
    .map(each => {
      const { timestamp, level, category, type, message, data } = object(each)
      const timeMs = timeOf(timestamp, sender)
      return present({
        time: timeMs === null ? null : new Date(timeMs).toISOString(),
        level,
        category: category ?? type,
        message: text(message)?.slice(0, maxTextLength),
        data: dataOf(data),
      })
    })
    .filter(breadcrumb => Object.keys(breadcrumb).length > 0)
}

/** Omits the arguments of console calls, because the message contains them. */
function dataOf(data: Json | undefined): Attributes {
  const { arguments: _, ...rest } = object(data)
  return rest
}
