import type { Attributes } from '../../../shared/event.ts'
import { object, present, text } from './json-fields.ts'
import { originOf, type Sender, serviceIn, timeOf } from './sender.ts'
import { tagsOf } from './tags.ts'

/** The fields that `feedbackRecord` reads. */
export const feedbackFields: ReadonlySet<string> = new Set([
  ...['contexts', 'environment', 'event_id', 'release', 'tags', 'timestamp', 'comments', 'email', 'name'],
])

/**
 * Converts an item of type `feedback` (https://develop.sentry.dev/sdk/telemetry/user-feedback/) or its predecessor
 * `user_report` to a log record, so that searches find the visitor's message.
 */
export function feedbackRecord(item: Attributes, sender: Sender): Attributes {
  const contexts = object(item.contexts)
  const feedback = object(contexts.feedback)
  return {
    ...present({
      time: timeOf(item.timestamp, sender),
      traceId: object(contexts.trace).trace_id,
      'deployment.environment.name': item.environment,
      'feedback.event_id': feedback.associated_event_id ?? item.event_id,
      'feedback.email': feedback.contact_email ?? item.email,
      'feedback.name': feedback.name ?? item.name,
      'url.full': feedback.url,
    }),
    level: 'info',
    msg: `Feedback: ${text(feedback.message) ?? text(item.comments) ?? '(no message)'}`,
    ...originOf(sender, { named: serviceIn(tagsOf(item.tags)), release: text(item.release) }),
  }
}
