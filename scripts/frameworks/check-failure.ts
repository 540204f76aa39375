import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from '@playwright/test'
import { paths } from '../../shared/paths.ts'
import type { Application, FailureKind } from './application.ts'
import type { Running } from './run-application.ts'

/** The result for one kind of failure: what the visitor sees, and what Sixpane shows. */
export type Result = {
  kind: FailureKind
  /** Whether the visitor sees an id. */
  hasId: boolean
  /** Whether the id, pasted into the search box, leads to the failure; `null` without an id. */
  isFoundById: boolean | null
  isSourceLineRight: boolean
  isRequestKnown: boolean
}

const timeoutMs = 15_000

/** How long an id may take to appear after the failure has reached Sixpane. */
const idTimeoutMs = 2000

/**
 * Causes a failure in a browser and looks for it in Sixpane.
 * @throws Error if the browser does not respond
 */
export async function checkFailure(
  application: Application,
  kind: FailureKind,
  running: Running,
  { sixpane, release, browser }: { sixpane: string; release: string; browser: Browser },
): Promise<Result> {
  const message = `failed in ${kind.name}`
  const q = `release:${release} "${message}"`
  const page = await browser.newPage()
  let id: string | null
  try {
    await page.goto(running.origin + kind.path, { waitUntil: 'networkidle' })
    if (kind.button !== null) await page.getByRole('button', { name: kind.button }).click()
    await waitForEvent(sixpane, q)
    id = await findVisibleId(page, application.visibleId)
  } finally {
    await page.close()
  }
  // Server and browser may both report the failure, one later than the other.
  const events = await findEvents(sixpane, q)
  const source = `${kind.source}:${await lineOf(message, join(running.folder, kind.source))}`
  const failurePages = await Promise.all(
    events.map(({ fingerprint }) =>
      readText(sixpane + paths.development({ failure: fingerprint ?? undefined })),
    ),
  )
  const pasted = id === null ? null : await fetch(sixpane + paths.activities({ q: id }))
  return {
    kind,
    hasId: id !== null,
    isFoundById:
      pasted &&
      new URL(pasted.url).pathname === paths.development() &&
      (await pasted.text()).includes(message),
    isSourceLineRight: failurePages.length > 0 && failurePages.every(text => text.includes(`${source}:`)),
    isRequestKnown: (await withTraces(sixpane, events)).some(
      ({ path }) =>
        path === kind.path || (kind.requestPath !== undefined && path?.startsWith(kind.requestPath) === true),
    ),
  }
}

/**
 * Finds the messages of stored failures that the checks did not cause. Events with other messages, such as those of React in
 * the browser, must belong to a failure of the server. They are joined with it in the background, so this waits for them.
 */
export async function findOtherFailures(
  { failures }: Application,
  { sixpane, release }: { sixpane: string; release: string },
): Promise<string[]> {
  const deadlineMs = Date.now() + timeoutMs
  for (;;) {
    const others = []
    for (const { fingerprint, message } of await findEvents(sixpane, `release:${release} -"failed in"`)) {
      if (fingerprint === null || failures.some(({ alsoStored }) => alsoStored === message)) continue
      const text = await readText(sixpane + paths.development({ failure: fingerprint }))
      if (!text.includes('failed in')) others.push(message)
    }
    if (others.length === 0 || Date.now() > deadlineMs) return others
    await sleep(500)
  }
}

/** Returns the id that the visitor sees, or `null` after a timeout. */
async function findVisibleId(page: Page, pattern: RegExp): Promise<string | null> {
  const deadlineMs = Date.now() + idTimeoutMs
  for (;;) {
    const id = pattern.exec(await page.locator('body').innerText())?.[1]
    if (id !== undefined) return id
    if (Date.now() > deadlineMs) return null
    await sleep(100)
  }
}

type FoundEvent = { fingerprint: string | null; message: string; traceId: string | null; path: string | null }

/** Adds the other events with the same trace ids, which the failure page shows. */
async function withTraces(sixpane: string, events: readonly FoundEvent[]): Promise<FoundEvent[]> {
  const traceIds = new Set(events.map(({ traceId }) => traceId).filter(id => id !== null))
  const traces = await Promise.all([...traceIds].map(id => findEvents(sixpane, `trace:${id}`)))
  return [...events, ...traces.flat()]
}

/** Repeats a search until it finds an event, or until a timeout. */
async function waitForEvent(sixpane: string, q: string): Promise<void> {
  const deadlineMs = Date.now() + timeoutMs
  while (Date.now() < deadlineMs && (await findEvents(sixpane, q)).length === 0) await sleep(200)
}

async function findEvents(sixpane: string, q: string): Promise<FoundEvent[]> {
  const response = await fetch(sixpane + paths.export({ q, format: 'ndjson' }))
  const lines = (await response.text()).split('\n').filter(line => line !== '')
  return lines.map(readEvent)
}

/**
 * Reads an exported event. Browsers report the URL of the page, and servers report the path of the request. Lines from pino
 * contain the path in `req`.
 */
function readEvent(line: string): FoundEvent {
  const { fingerprint, message, traceId, attributes } = JSON.parse(line)
  const url: unknown = attributes?.['url.full']
  return {
    fingerprint,
    message,
    traceId,
    path:
      typeof url === 'string'
        ? new URL(url).pathname
        : (attributes?.['url.path'] ?? attributes?.req?.url ?? null),
  }
}

/** Returns the number of the line that contains the text. */
async function lineOf(text: string, path: string): Promise<number> {
  return (await readFile(path, 'utf8')).split('\n').findIndex(line => line.includes(text)) + 1
}

async function readText(url: string): Promise<string> {
  return (await (await fetch(url)).text()).replace(/<[^>]*>/g, '')
}
