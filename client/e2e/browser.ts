import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import type { Test } from 'tap'

let running: Promise<Browser> | undefined

/** The one browser of a test file. */
export async function browser(): Promise<Browser> {
  running ??= launchBrowser()
  return running
}

/** Starts the browser that `CHROMIUM_PATH` names. */
export function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
    args: [
      // A container's root may not use the sandbox, and the pages are our own.
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      ...args,
    ],
  })
}

export async function closeBrowser(): Promise<void> {
  await (await running)?.close()
}

export type OpenedPage = Page & {
  /** Says that a complaint which holds `text` belongs to the test. */
  expectComplaint(text: string): void
}

/**
 * Opens a page of a visitor of its own. Whatever the browser complains of in its console (errors, warnings,
 * hydration mismatches, blocked content, uncaught exceptions) fails the test, unless it was expected.
 */
export async function openPage(t: Test, options: BrowserContextOptions = {}): Promise<OpenedPage> {
  const context = await (await browser()).newContext(options)
  // Generous for a busy machine, short of the test runner's own limit.
  context.setDefaultTimeout(10_000)
  const page = await context.newPage()
  const complaints: string[] = []
  const expected: string[] = []
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', error => complaints.push(String(error)))
  t.teardown(async () => {
    await context.close()
    const unexpected = complaints.filter(complaint => !expected.some(text => complaint.includes(text)))
    if (unexpected.length > 0) throw new Error(`The browser complained: ${unexpected.join('\n')}`)
  })
  return Object.assign(page, {
    expectComplaint(text: string) {
      expected.push(text)
    },
  })
}

/** Resolves once React has taken the page over. */
export async function hydrated(page: Page): Promise<void> {
  await page.locator('html.scripted').waitFor({ state: 'attached' })
}
