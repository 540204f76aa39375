import type { NewDelivery, NoticeKind, Webhook } from '../store/webhook-store.ts'
import type { NoticeDescription } from './notice.ts'

/** A message transport. Webhooks are the only implementation. */
export type Channel = {
  /**
   * Formats a notice as a message body, which is stored until delivery.
   * @param origin Sixpane's public origin, without a trailing slash
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

/** `status` is the HTTP status of the response; `retryAfterMs` is the pause that the receiver requested. */
export type AttemptResult = { status: number | null; problem: string | null; retryAfterMs: number | null }
