import type { WebhookConditions } from '../../shared/webhook.ts'

/** Webhooks and their messages. */
export type WebhookStore = {
  /** Ordered by creation time. */
  list(): Promise<Webhook[]>
  add(webhook: Webhook): Promise<void>
  /** Changes the name, URL, secret and conditions of the webhook with this id. */
  change(webhook: Webhook): Promise<void>
  /** Deletes a webhook and all its messages. */
  remove(id: string): Promise<void>
  /**
   * Enqueues messages. Skips a message if its id is already stored, or if its webhook has had a message of the same kind
   * about the same subject since `sinceMs`. The second rule does not apply to `unlimitedKinds`. Once the promise resolves,
   * the messages survive even if the process is killed.
   * @returns the number of enqueued messages
   */
  enqueue(deliveries: readonly NewDelivery[], sinceMs: number): Promise<number>
  /** Messages whose next attempt is due, most overdue first, at most `limit` per webhook. */
  due(nowMs: number, limit: number): Promise<Delivery[]>
  /** The time of the next attempt, or `null` if no message is waiting. */
  nextDueMs(): Promise<number | null>
  /** Records the result of an attempt. */
  recordAttempt(id: string, attempt: Attempt): Promise<void>
  /** The newest messages of a webhook, of one kind or all kinds, newest first. */
  deliveries(webhookId: string, limit: number, kind?: NoticeKind): Promise<Delivery[]>
  /** Deletes messages that were delivered or abandoned before a time. */
  deleteEnded(beforeMs: number): Promise<void>
}

export type Webhook = {
  id: string
  name: string
  url: string
  /** The signing key: `whsec_` and base64. */
  secret: string
  conditions: WebhookConditions
  createdMs: number
}

export const noticeKinds = ['new', 'returned', 'ratio', 'test'] as const
export type NoticeKind = (typeof noticeKinds)[number]
/** Another message of these kinds requires an action by a user: sending a test, or resolving the failure. */
export const unlimitedKinds: readonly NoticeKind[] = ['returned', 'test']

export type NewDelivery = {
  id: string
  webhookId: string
  kind: NoticeKind
  /** The failure or service that the message is about. The rate of messages per subject is limited. */
  subject: string
  /** The message as JSON. */
  body: string
  createdMs: number
  /** The time of the first attempt. */
  nextMs: number
}

export type Delivery = Omit<NewDelivery, 'nextMs'> & {
  attempts: number
  /** The time of the next attempt, or `null` after the last one. */
  nextMs: number | null
  /** HTTP status of the last response, or `null` if there was none. */
  status: number | null
  /** Why the last attempt failed, or `null`. */
  problem: string | null
  endedMs: number | null
}

/** `nextMs: null` if the message was delivered or abandoned. */
export type Attempt = { atMs: number; status: number | null; problem: string | null; nextMs: number | null }
