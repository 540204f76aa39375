import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from '@playwright/test'
import { paths } from '../../shared/paths.ts'
import type { Application, FailureKind } from './application.ts'
import type { Running } from './run-application.ts'

/** The result for one kind of failure, for the visitor and in Sixpane. */
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

/** Causes a failure in a browser and looks for it in Sixpane. */
export async function checkFailure(
  application: Application,
  kind: FailureKind,
  running: Running,
  { sixpane, release, browser }: { sixpane: string; release: string; browser: Browser },
): Promise<Result> {
  const id = application.visibleId.exec(await whatVisitorSees(browser, running.origin, kind))?.[1] ?? null
  const message = `failed in ${kind.name}`
  const events = await findEvents(sixpane, `release:${release} "${message}"`)
  const source = `${kind.source}:${await lineOf(message, join(running.folder, kind.source))}`
  const failurePages = await Promise.all(
    events.map(({ fingerprint }) => readText(sixpane + paths.development({ failure: fingerprint }))),
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

async function whatVisitorSees(browser: Browser, origin: string, kind: FailureKind): Promise<string> {
  const page = await browser.newPage()
  try {
    await page.goto(origin + kind.path, { waitUntil: 'networkidle' })
    if (kind.button !== null) {
      await page.getByRole('button', { name: kind.button }).click()
      await page.waitForLoadState('networkidle')
      await sleep(500)
    }
    return await page.locator('body').innerText()
  } finally {
    await page.close()
  }
}

type FoundEvent = { fingerprint: string; traceId: string | null; path: string | null }

/** Adds the other events with the same trace ids, which the failure page shows. */
async function withTraces(sixpane: string, events: readonly FoundEvent[]): Promise<FoundEvent[]> {
  const traceIds = new Set(events.map(({ traceId }) => traceId).filter(id => id !== null))
  const traces = await Promise.all([...traceIds].map(id => findEvents(sixpane, `trace:${id}`)))
  return [...events, ...traces.flat()]
}

/** Repeats a search until it finds events. Returns an empty array after the timeout. */
async function findEvents(sixpane: string, q: string): Promise<FoundEvent[]> {
  const deadlineMs = Date.now() + timeoutMs
  while (Date.now() < deadlineMs) {
    const answer = await fetch(sixpane + paths.export({ q, format: 'ndjson' }))
    const lines = (await answer.text()).split('\n').filter(line => line !== '')
    if (lines.length > 0) return lines.map(readEvent)
    await sleep(200)
  }
  return []
}

/**
 * Reads an exported event. Browsers report the URL of the page, and servers report the path of the request. Lines from pino
 * contain the path in `req`.
 */
function readEvent(line: string): FoundEvent {
  const { fingerprint, traceId, attributes } = JSON.parse(line)
  const url: unknown = attributes?.['url.full']
  return {
    fingerprint,
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
