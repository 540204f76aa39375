import type { Channel } from '../channel.ts'
import { webhookMessage } from './message.ts'
import { post } from './post.ts'

/** Posts Slack-compatible JSON to a webhook URL. */
export const webhookChannel: Channel = { format: webhookMessage, attempt: post }
