import type { NewDelivery, NoticeKind, Webhook } from '../store/webhook-store.ts'
import type { NoticeDescription } from './notice.ts'

/** A way to send messages to recipients. Webhooks are the only one. */
export type Channel = {
  /**
   * Formats a notice as the body of a message, which is stored until it is delivered.
   * @param origin public origin of Sixpane, without a trailing slash
   */
  format(kind: NoticeKind, description: NoticeDescription, origin: string): string
  /** Tries once to deliver a message. Never throws: `problem` explains a failure to the operator. */
  attempt(
    recipient: Webhook,
    message: Pick<NewDelivery, 'id' | 'body'>,
    nowMs: number,
    signal: AbortSignal,
  ): Promise<AttemptResult>
}

/** `status` is the HTTP status of the response, `retryAfterMs` the pause that the receiver requested. */
export type AttemptResult = { status: number | null; problem: string | null; retryAfterMs: number | null }
