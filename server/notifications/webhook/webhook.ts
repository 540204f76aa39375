import type { TracedFetch } from '../../tracing/tracing.ts'
import type { Channel } from '../channel.ts'
import { webhookMessage } from './message.ts'
import { post } from './post.ts'

/** Posts Slack-compatible JSON to a webhook URL. */
export function webhookChannel(fetch: TracedFetch): Channel {
  return {
    format: webhookMessage,
    attempt: (webhook, message, nowMs, signal) => post(webhook, message, nowMs, signal, fetch),
  }
}
