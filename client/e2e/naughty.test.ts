import { isDeepStrictEqual } from 'node:util'
import type { Page as BrowserPage } from '@playwright/test'
import { parsePacked } from '../../shared/packed-json.ts'
import { paths } from '../../shared/paths.ts'
import type { ActivitiesContent } from '../../shared/screens/activities.ts'
import { expect, hydrated, serverForFile, test } from './fixtures.ts'
import { naughtyStrings } from './naughty.ts'

// Sixpane replaces empty names and messages with defaults, so empty strings occur only in the fields of the last event.
const strings = naughtyStrings.filter(text => text !== '' && text !== '\ufeff')
/**
 * Returns the parts of a string that a parser might treat as something other than plain text: end tags, starts of comments,
 * entities, and characters that parsers change or reject.
 */
const specialParts = (text: string) =>
  text.match(/<[!/]\S{0,6}|&#?\w+|[\p{Cc}\p{Cs}\p{Cn}\u2028\u2029\ufeff]/gu) ?? []
/** Returns the strings with a special part that no earlier string has, and their indexes. */
function specialStrings(): [index: number, text: string][] {
  const known = new Set<string>()
  return [...strings.entries()].filter(([, text]) => {
    const knownBefore = known.size
    for (const part of specialParts(text)) known.add(part.toLowerCase())
    return known.size > knownBefore
  })
}

/**
 * The time of the first event. There is one event per string, followed by an event with all strings. The events are one
 * second apart, so that a range of one second contains one event.
 */
const beganMs = Math.floor(Date.now() / 1000) * 1000 - (strings.length + 1) * 1000
const timeOf = (index: number) => beganMs + index * 1000
const secondOf = (index: number) => ({ fromMs: timeOf(index), toMs: timeOf(index + 1) })
const whole = { fromMs: timeOf(0), toMs: timeOf(strings.length + 1) }

/** Every event except the last has this digest, because most of the strings are not valid digests. */
const digest = '2338471'

/** Returns the event to send, with the string in every field. */
const sentOf = (text: string) => ({
  name: text,
  version: text,
  reqId: text,
  route: text,
  digest,
  msg: text,
  // The type differs from `name`, because Sixpane does not use a `name` that equals the type as the name of the service.
  err: { type: typeOf(text), message: text, stack: stackOf(text) },
  // Nested, because a string could equal one of the names above.
  fields: fieldsOf(text),
})
/** Returns the stored fields of the event that `sentOf` returns. */
const storedOf = (text: string) => {
  const bare = withoutMark(text)
  return {
    service: bare,
    release: bare,
    requestId: bare,
    route: bare,
    digest,
    body: bare,
    exception: { type: typeOf(bare), message: bare, stack: withoutMark(stackOf(text)) },
    attributes: { fields: fieldsOf(text) },
  }
}
const typeOf = (text: string) => `${text} Error`
const withoutMark = (text: string) => text.replace(/^\ufeff+/, '')
const stackOf = (text: string) => `${text}\n    at ${text} (${text}:1:2)`
const fieldsOf = (text: string) => Object.fromEntries([[text, { deeper: [text, { [`in ${text}`]: text }] }]])
const allOfThem = Object.fromEntries(naughtyStrings.map(text => [text, text]))

const server = serverForFile({}, server =>
  server.send(...strings.map((text, index) => ({ level: 50, time: timeOf(index), ...sentOf(text) })), {
    time: timeOf(strings.length),
    name: 'naughty',
    msg: 'all strings',
    fields: allOfThem,
  }),
)

test('the list of naughty strings is complete', async () => {
  expect(naughtyStrings.length >= 495, String(naughtyStrings.length)).toBeTruthy()
})

test('every string reaches hydration unchanged in rows, and special ones in an open event and a search field', async ({
  openPage,
}) => {
  const page = await openPage()
  const rows: ActivitiesContent['events'] = []
  await eachListPage(page, ({ events }) => {
    rows.push(...events)
  })
  expect(rows.length).toBe(strings.length + 1)
  // The newest event comes first.
  const rowOf = (index: number) => rows[strings.length - index]
  const changedRows = strings.filter((text, index) => {
    const row = rowOf(index)
    const bare = withoutMark(text)
    const wanted = asStored([bare, bare, [...bare].slice(0, 500).join('')])
    return !isDeepStrictEqual([row?.service, row?.route, row?.body], wanted)
  })

  const special = specialStrings()
  // The added words prevent a search from being mistaken for a digest.
  const searchOf = (text: string) => `${text} and more`
  const eventPage = (index: number, q?: string) =>
    paths.activities({ q, range: secondOf(index), event: rowOf(index)?.id })
  const searched = await contentsOf(
    page,
    special.map(([index, text]) => eventPage(index, searchOf(text))),
  )
  const changedSearches = special.filter(
    ([, text], at) => searched[at]?.q !== searchOf(text).toWellFormed().trim(),
  )

  // A search with a syntax error does not show the event.
  const invalid = special.filter((_, at) => searched[at]?.open === null)
  const unsearched = await contentsOf(
    page,
    invalid.map(([index]) => eventPage(index)),
  )
  const shown = new Map([...searched, ...unsearched].map(({ open }) => [open?.id, open]))
  const changedEvents = special.filter(([index, text]) => {
    const { service, release, requestId, route, digest, body, exception, attributes } =
      shown.get(rowOf(index)?.id) ?? {}
    const open = { service, release, requestId, route, digest, body, exception, attributes }
    return !isDeepStrictEqual(open, asStored(storedOf(text)))
  })

  const changed = [...changedRows, ...[...changedSearches, ...changedEvents].map(([, text]) => text)]
  // Escaped, because some test reporters cannot print the strings.
  expect(changed.map(text => inAscii(text))).toEqual([])
})

test('the screens that show events display the strings without errors', async ({ openPage }) => {
  const page = await openPage()
  await page.goto(server.origin + paths.activities({ range: whole }))
  await hydrated(page)
  const newest = (await contentOf(page)).events[0]?.id
  await page.goto(server.origin + paths.activities({ range: whole, event: newest }))
  await hydrated(page)
  expect(
    isDeepStrictEqual((await contentOf(page)).open?.attributes, asStored({ fields: allOfThem })),
  ).toBeTruthy()
  for (const path of [paths.home(), paths.dashboard(), paths.development({ range: whole })]) {
    await page.goto(server.origin + path)
    await hydrated(page)
    expect(await page.locator('[data-failure]').count(), path).toBe(0)
  }
})

/** Opens every page of the log. */
async function eachListPage(page: BrowserPage, look: (content: ActivitiesContent) => void): Promise<void> {
  for (let url: string | null = paths.activities({ range: whole }); url !== null; ) {
    await page.goto(server.origin + url)
    await hydrated(page)
    const content = await contentOf(page)
    look(content)
    url = content.olderHref
  }
}

/** Returns the content in the hydration data of the open page. */
async function contentOf(page: BrowserPage): Promise<ActivitiesContent> {
  return parsePacked(await page.locator('#page').evaluate(block => block.textContent ?? '')).content
}

/** Returns the content in each page's hydration data, as read by the browser's HTML parser. */
async function contentsOf(page: BrowserPage, urls: readonly string[]): Promise<ActivitiesContent[]> {
  const blocks: string[] = []
  // One at a time, because a busy server rejects pages that wait for too long.
  for (const url of urls) {
    const block = await page.evaluate(async url => {
      const html = await (await fetch(url)).text()
      return new DOMParser().parseFromString(html, 'text/html').getElementById('page')?.textContent ?? ''
    }, url)
    blocks.push(block)
  }
  return blocks.map(block => parsePacked(block).content)
}

/** Converts a value to its stored form: lone surrogates become U+FFFD, and names are truncated to 200 characters. */
function asStored(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(asStored)
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      (name.length > 200 ? `${name.slice(0, 200)}…` : name).toWellFormed(),
      asStored(each),
    ]),
  )
}

/** Escapes characters other than printable ASCII. */
function inAscii(text: string): string {
  return JSON.stringify(text).replaceAll(/[^ -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16)}`)
}
