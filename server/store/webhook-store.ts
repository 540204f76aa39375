import type { WebhookConditions } from '../../shared/webhook.ts'

/** Where the console tells of what happened, and what has become of each message. */
export type WebhookStore = {
  /** In the order in which they were made. */
  list(): Promise<Webhook[]>
  add(webhook: Webhook): Promise<void>
  /** Gives the webhook with this id its name, address, key and conditions. */
  change(webhook: Webhook): Promise<void>
  /** With what was delivered to it, and what waits. */
  remove(id: string): Promise<void>
  /**
   * Enters messages to deliver, except those whose webhook and subject had one that was entered after `sinceMs`.
   * Once it resolves they survive a kill of the process. Gives how many were entered.
   */
  enqueue(deliveries: readonly NewDelivery[], sinceMs: number): Promise<number>
  /** Those to try at this moment, the longest overdue first. */
  due(nowMs: number, limit: number): Promise<Delivery[]>
  /** When the next one is to be tried, or `null` where none waits. */
  nextDueMs(): Promise<number | null>
  /** Notes how a try went. */
  note(id: string, attempt: Attempt): Promise<void>
  /** The newest messages of a webhook, newest first. */
  deliveries(webhookId: string, limit: number): Promise<Delivery[]>
  /** Forgets messages that ended before. */
  forget(beforeMs: number): Promise<void>
}

export type Webhook = {
  id: string
  name: string
  url: string
  /** The key of its signatures: `whsec_` and base64. */
  secret: string
  conditions: WebhookConditions
  createdMs: number
}

export const noticeKinds = ['new', 'returned', 'ratio', 'test'] as const
export type NoticeKind = (typeof noticeKinds)[number]

export type NewDelivery = {
  id: string
  webhookId: string
  kind: NoticeKind
  /** What it is about, of which there is no second message within the hour: a fingerprint or a service. */
  subject: string
  /** JSON. */
  body: string
  createdMs: number
}

export type Delivery = NewDelivery & {
  attempts: number
  /** When it is tried next, or `null` once it has ended. */
  nextMs: number | null
  /** HTTP status of the newest answer, or `null` where none came. */
  status: number | null
  /** Why it did not arrive. `null` where it did, and before the first try. */
  problem: string | null
  endedMs: number | null
}

/** `nextMs: null` ends it: it arrived, or it is given up. */
export type Attempt = { atMs: number; status: number | null; problem: string | null; nextMs: number | null }
