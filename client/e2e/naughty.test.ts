import { isDeepStrictEqual } from 'node:util'
import type { Page as BrowserPage } from '@playwright/test'
import { paths } from '../../shared/paths.ts'
import type { ActivitiesContent } from '../../shared/screens/activities.ts'
import { expect, hydrated, serverForFile, test } from './fixtures.ts'
import { naughtyStrings } from './naughty.ts'

// A name or message that says nothing gives way to another; as a value it is among those of the last event.
const strings = naughtyStrings.filter(text => text !== '' && text !== '\ufeff')

/** One event a string, a second apart: a search over one second shows it alone. The last one holds them all. */
const beganMs = Math.floor(Date.now() / 1000) * 1000 - (strings.length + 1) * 1000
const timeOf = (index: number) => beganMs + index * 1000
const secondOf = (index: number) => ({ fromMs: timeOf(index), toMs: timeOf(index + 1) })
const whole = { fromMs: timeOf(0), toMs: timeOf(strings.length + 1) }

/** A digest is one word, which few of the strings are. */
const digest = '2338471'

/** A string in each place that an event has for one; as it is sent, and as it is kept. */
const sentOf = (text: string) => ({
  name: text,
  version: text,
  reqId: text,
  route: text,
  digest,
  msg: text,
  err: { type: text, message: text, stack: stackOf(text) },
  // In an object of its own: beside the fields above, a key might be the name of one.
  fields: fieldsOf(text),
})
const keptOf = (text: string) => {
  const bare = withoutMark(text)
  return {
    service: bare,
    release: bare,
    requestId: bare,
    route: bare,
    digest,
    body: bare,
    exception: { type: bare, message: bare, stack: withoutMark(stackOf(text)) },
    attributes: { fields: fieldsOf(text) },
  }
}
const withoutMark = (text: string) => text.replace(/^\ufeff+/, '')
const stackOf = (text: string) => `${text}\n    at ${text} (${text}:1:2)`
const fieldsOf = (text: string) => Object.fromEntries([[text, { deeper: [text, { [`in ${text}`]: text }] }]])
const allOfThem = Object.fromEntries(naughtyStrings.map(text => [text, text]))

const server = serverForFile({}, server =>
  server.send(...strings.map((text, index) => ({ level: 50, time: timeOf(index), ...sentOf(text) })), {
    time: timeOf(strings.length),
    name: 'naughty',
    msg: 'all of them',
    fields: allOfThem,
  }),
)

test('the strings are as many as the big list has today', async () => {
  expect(naughtyStrings.length >= 515, String(naughtyStrings.length)).toBeTruthy()
})

test('every string comes to hydration as it was sent', async ({ openPage }) => {
  const page = await openPage()
  const ids: number[] = []
  await eachListPage(page, ({ events }) => {
    ids.push(...events.map(({ id }) => id))
  })
  expect(ids.length).toBe(strings.length + 1)
  const urls = strings.map((_, index) =>
    // The list begins with the newest event.
    paths.activities({ range: secondOf(index), event: ids[strings.length - index] }),
  )
  const contents = await contentsOf(page, urls)
  // Only what differs is named: not every reader of a report of tests gets over these strings.
  const differing = strings.filter((text, index) => {
    const { service, release, requestId, route, digest, body, exception, attributes } =
      contents[index]?.open ?? {}
    const open = { service, release, requestId, route, digest, body, exception, attributes }
    const [row] = contents[index]?.events ?? []
    const wanted = asKept(keptOf(text))
    const rowWanted = asKept([
      withoutMark(text),
      withoutMark(text),
      [...withoutMark(text)].slice(0, 500).join(''),
    ])
    return (
      !isDeepStrictEqual(open, wanted) || !isDeepStrictEqual([row?.service, row?.route, row?.body], rowWanted)
    )
  })
  expect(differing.map(text => inAscii(text))).toEqual([])
})

test('a search is read back as it was typed', async ({ openPage }) => {
  const page = await openPage()
  await page.goto(server.origin + paths.settings())
  // Alone, most strings would be taken for the digest that they are here.
  const searches = strings.filter(text => /[<&"\\]/.test(text)).map(text => `${text} and more`)
  const contents = await contentsOf(
    page,
    searches.map(q => paths.activities({ q, range: secondOf(0) })),
  )
  expect(
    isDeepStrictEqual(
      contents.map(({ q }) => q),
      searches.map(q => q.toWellFormed().trim()),
    ),
  ).toBeTruthy()
})

test('the browser shows them without a complaint', async ({ openPage }) => {
  const page = await openPage()
  let newest: number | undefined
  await eachListPage(page, ({ events }) => {
    newest ??= events[0]?.id
  })
  await page.goto(server.origin + paths.activities({ range: whole, event: newest }))
  await hydrated(page)
  expect(
    isDeepStrictEqual((await contentOf(page)).open?.attributes, asKept({ fields: allOfThem })),
  ).toBeTruthy()
  for (const path of [paths.home(), paths.dashboard(), paths.development({ range: whole })]) {
    await page.goto(server.origin + path)
    await hydrated(page)
    expect(await page.locator('[data-failure]').count(), path).toBe(0)
  }
})

/** Opens page after page of the whole list. */
async function eachListPage(page: BrowserPage, look: (content: ActivitiesContent) => void): Promise<void> {
  for (let url: string | null = paths.activities({ range: whole }); url !== null; ) {
    await page.goto(server.origin + url)
    await hydrated(page)
    const content = await contentOf(page)
    look(content)
    url = content.olderHref
  }
}

/** What the page that is open was hydrated from. */
async function contentOf(page: BrowserPage): Promise<ActivitiesContent> {
  return JSON.parse(await page.locator('#page').evaluate(block => block.textContent ?? '')).content
}

/** What each of these pages would be hydrated from, as the browser's own parser of HTML finds it. */
async function contentsOf(page: BrowserPage, urls: readonly string[]): Promise<ActivitiesContent[]> {
  const blocks: string[] = []
  // A few at a time, as many as a browser asks for at once.
  for (let from = 0; from < urls.length; from += 6) {
    const some = await page.evaluate(
      urls =>
        Promise.all(
          urls.map(async url => {
            const html = await (await fetch(url)).text()
            return (
              new DOMParser().parseFromString(html, 'text/html').getElementById('page')?.textContent ?? ''
            )
          }),
        ),
      urls.slice(from, from + 6),
    )
    blocks.push(...some)
  }
  return blocks.map(block => JSON.parse(block).content)
}

/** What is kept of a value: half a surrogate pair becomes U+FFFD, and a name beyond 200 characters is cut. */
function asKept(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(asKept)
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      (name.length > 200 ? `${name.slice(0, 200)}…` : name).toWellFormed(),
      asKept(each),
    ]),
  )
}

/** In letters, digits and escapes. */
function inAscii(text: string): string {
  return JSON.stringify(text).replaceAll(/[^ -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16)}`)
}
