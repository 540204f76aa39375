import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { WebhookConditions } from '../../../../shared/webhook.ts'
import { number, numberOrNull, type Row, text, textOrNull } from '../../common/rows.ts'
import { join, sql } from '../../common/sql.ts'
import {
  type Delivery,
  type NewDelivery,
  noticeKinds,
  unlimitedKinds,
  type Webhook,
  type WebhookStore,
} from '../../webhook-store.ts'
import { textList } from '../sql/text-list.ts'
import type { Workspace } from './workspace.ts'

/** Excludes messages of kinds that only a newer version supports. They remain in the store for that version. */
export const isKnown = sql`kind IN (${join(
  noticeKinds.map(kind => sql`${kind}`),
  ', ',
)})`

export function createWebhookStore({ query, execute }: Pick<Workspace, 'query' | 'execute'>): WebhookStore {
  return {
    async list() {
      const rows = await query(sql`SELECT * FROM workspace.webhook ORDER BY created_ms, id`)
      return rows.map(readWebhook)
    },
    add: ({ id, name, url, secret, conditions, createdMs }) =>
      execute(sql`INSERT INTO workspace.webhook
        VALUES (${id}, ${name}, ${url}, ${secret}, ${JSON.stringify(conditions)}, ${createdMs})`),
    change: ({ id, name, url, secret, conditions }) =>
      execute(sql`UPDATE workspace.webhook SET name = ${name}, url = ${url}, secret = ${secret},
        conditions = ${JSON.stringify(conditions)} WHERE id = ${id}`),
    remove: id =>
      execute(
        sql`DELETE FROM workspace.webhook WHERE id = ${id}`,
        sql`DELETE FROM workspace.delivery WHERE webhook_id = ${id}`,
      ),
    async enqueue(deliveries, sinceMs) {
      const count = async () => {
        const ids = deliveries.map(({ id }) => id)
        const [row] = await query(
          sql`SELECT count(*) AS count FROM workspace.delivery WHERE id IN ${textList(ids)}`,
        )
        return number(row?.count)
      }
      const before = await count()
      await execute(...deliveries.map(delivery => insert(delivery, sinceMs)))
      return (await count()) - before
    },
    async due(nowMs, limit) {
      const rows = await query(sql`SELECT * FROM workspace.delivery
        WHERE next_ms <= ${nowMs} AND ${isKnown}
        QUALIFY row_number() OVER (PARTITION BY webhook_id ORDER BY next_ms, id) <= ${limit}
        ORDER BY next_ms, id`)
      return rows.map(readDelivery)
    },
    async nextDueMs() {
      const [row] = await query(sql`SELECT min(next_ms) AS next_ms FROM workspace.delivery
        WHERE ${isKnown}`)
      return numberOrNull(row?.next_ms ?? null)
    },
    recordAttempt: (id, { atMs, status, problem, nextMs }) =>
      execute(sql`UPDATE workspace.delivery SET attempts = attempts + 1, status = ${status}, problem = ${problem},
        next_ms = ${nextMs}, ended_ms = ${nextMs === null ? atMs : null} WHERE id = ${id}`),
    async deliveries(webhookId, limit, kind) {
      const rows = await query(sql`SELECT * FROM workspace.delivery
        WHERE webhook_id = ${webhookId} AND ${kind === undefined ? isKnown : sql`kind = ${kind}`}
        ORDER BY created_ms DESC, id LIMIT ${limit}`)
      return rows.map(readDelivery)
    },
    deleteEnded: beforeMs => execute(sql`DELETE FROM workspace.delivery WHERE ended_ms < ${beforeMs}`),
  }
}

/**
 * Inserts a message unless its id exists. For kinds that are limited, also requires that the webhook has had no message of
 * the same kind about the same subject since `sinceMs`. Uses one statement to avoid a race condition.
 */
function insert({ id, webhookId, kind, subject, body, createdMs, nextMs }: NewDelivery, sinceMs: number) {
  return sql`INSERT INTO workspace.delivery
    SELECT ${id}, ${webhookId}, ${kind}, ${subject}, ${body}, ${createdMs}, 0, ${nextMs}, NULL, NULL, NULL
    WHERE NOT EXISTS (FROM workspace.delivery WHERE id = ${id})
      AND (${unlimitedKinds.includes(kind)} OR NOT EXISTS (FROM workspace.delivery
      WHERE webhook_id = ${webhookId} AND kind = ${kind} AND subject = ${subject} AND created_ms > ${sinceMs}))`
}

/** @throws TypeError if the row lacks a column */
export function readWebhook(row: Row): Webhook {
  return {
    id: text(row.id),
    name: text(row.name),
    url: text(row.url),
    secret: text(row.secret),
    conditions: readConditions(text(row.conditions)),
    createdMs: number(row.created_ms),
  }
}

const anObject = Type.Record(Type.String(), Type.Unknown())
const errorRatio = Type.Object({ above: Type.Number(), overMinutes: Type.Number() })

/**
 * Reads conditions that another version may have written. Unknown conditions are ignored; missing and unreadable ones are
 * treated as off. The webhook is still listed, so users can correct it.
 */
function readConditions(json: string): WebhookConditions {
  const parsed = parseJson(json)
  const stored = Value.Check(anObject, parsed) ? parsed : {}
  const ratio = stored.errorRatio
  return {
    newFailure: stored.newFailure === true,
    returnedFailure: stored.returnedFailure === true,
    errorRatio: Value.Check(errorRatio, ratio)
      ? { above: ratio.above, overMinutes: ratio.overMinutes }
      : null,
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** @throws TypeError if the row lacks a column or its kind is unknown */
export function readDelivery(row: Row): Delivery {
  const kind = noticeKinds.find(known => known === row.kind)
  if (kind === undefined)
    throw new TypeError('The store contains a message that this version does not support')
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
