import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { WebhookConditions } from '../../../../shared/webhook.ts'
import {
  type Delivery,
  type NewDelivery,
  noticeKinds,
  type Webhook,
  type WebhookStore,
} from '../../webhook-store.ts'
import type { Row } from '../engine/connections.ts'
import { number, numberOrNull, text, textOrNull } from '../sql/rows.ts'
import { sql } from '../sql/sql.ts'
import type { Workspace } from './workspace.ts'

export function createWebhookStore({ ask, change }: Pick<Workspace, 'ask' | 'change'>): WebhookStore {
  return {
    async list() {
      const rows = await ask(sql`SELECT * FROM workspace.webhook ORDER BY created_ms, id`)
      return rows.map(readWebhook)
    },
    add: ({ id, name, url, secret, conditions, createdMs }) =>
      change(sql`INSERT INTO workspace.webhook
        VALUES (${id}, ${name}, ${url}, ${secret}, ${JSON.stringify(conditions)}, ${createdMs})`),
    change: ({ id, name, url, secret, conditions }) =>
      change(sql`UPDATE workspace.webhook SET name = ${name}, url = ${url}, secret = ${secret},
        conditions = ${JSON.stringify(conditions)} WHERE id = ${id}`),
    remove: id =>
      change(
        sql`DELETE FROM workspace.webhook WHERE id = ${id}`,
        sql`DELETE FROM workspace.delivery WHERE webhook_id = ${id}`,
      ),
    async enqueue(deliveries, sinceMs) {
      await change(...deliveries.map(delivery => enter(delivery, sinceMs)))
      let entered = 0
      for (const { id } of deliveries) {
        const [row] = await ask(sql`SELECT count(*) AS count FROM workspace.delivery WHERE id = ${id}`)
        entered += number(row?.count)
      }
      return entered
    },
    async due(nowMs, limit) {
      const rows = await ask(sql`SELECT * FROM workspace.delivery
        WHERE next_ms <= ${nowMs} ORDER BY next_ms, id LIMIT ${limit}`)
      return rows.map(readDelivery)
    },
    async nextDueMs() {
      const [row] = await ask(sql`SELECT min(next_ms) AS next_ms FROM workspace.delivery`)
      return numberOrNull(row?.next_ms ?? null)
    },
    note: (id, { atMs, status, problem, nextMs }) =>
      change(sql`UPDATE workspace.delivery SET attempts = attempts + 1, status = ${status}, problem = ${problem},
        next_ms = ${nextMs}, ended_ms = ${nextMs === null ? atMs : null} WHERE id = ${id}`),
    async deliveries(webhookId, limit) {
      const rows = await ask(sql`SELECT * FROM workspace.delivery
        WHERE webhook_id = ${webhookId} ORDER BY created_ms DESC, id LIMIT ${limit}`)
      return rows.map(readDelivery)
    },
    forget: beforeMs => change(sql`DELETE FROM workspace.delivery WHERE ended_ms < ${beforeMs}`),
  }
}

/** One statement looks and enters, so that nothing comes between. A test is never one too many. */
function enter({ id, webhookId, kind, subject, body, createdMs }: NewDelivery, sinceMs: number) {
  return sql`INSERT INTO workspace.delivery
    SELECT ${id}, ${webhookId}, ${kind}, ${subject}, ${body}, ${createdMs}, 0, ${createdMs}, NULL, NULL, NULL
    WHERE ${kind} = 'test' OR NOT EXISTS (FROM workspace.delivery
      WHERE webhook_id = ${webhookId} AND subject = ${subject} AND kind <> 'test' AND created_ms > ${sinceMs})`
}

const conditions = Type.Object({
  newFailure: Type.Boolean(),
  returnedFailure: Type.Boolean(),
  errorRatio: Type.Union([Type.Object({ above: Type.Number(), overMinutes: Type.Number() }), Type.Null()]),
})

/** @throws TypeError when the row is not a whole one */
function readWebhook(row: Row): Webhook {
  return {
    id: text(row.id),
    name: text(row.name),
    url: text(row.url),
    secret: text(row.secret),
    conditions: readConditions(JSON.parse(text(row.conditions))),
    createdMs: number(row.created_ms),
  }
}

function readConditions(value: unknown): WebhookConditions {
  if (!Value.Check(conditions, value))
    throw new TypeError('The store holds a webhook that this version does not know')
  return value
}

/** @throws TypeError when the row is not a whole one */
function readDelivery(row: Row): Delivery {
  const kind = noticeKinds.find(known => known === row.kind)
  if (kind === undefined) throw new TypeError('The store holds a message that this version does not know')
  return {
    id: text(row.id),
    webhookId: text(row.webhook_id),
    kind,
    subject: text(row.subject),
    body: text(row.body),
    createdMs: number(row.created_ms),
    attempts: number(row.attempts),
    nextMs: numberOrNull(row.next_ms),
    status: numberOrNull(row.status),
    problem: textOrNull(row.problem),
    endedMs: numberOrNull(row.ended_ms),
  }
}
