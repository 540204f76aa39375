import type { Page } from 'playwright-core'
import { PNG } from 'pngjs'
import type { Test } from 'tap'
import { browserPath } from '../../../shared/paths.ts'
import { browser, hydrated, openPage } from '../browser.ts'
import { sceneMs } from './scene.ts'

export const themes = ['light', 'dark'] as const
/** A phone, a laptop, a desk; as much of each screen as is looked at. */
export const sizes = [
  { width: 360, height: 1400 },
  { width: 1280, height: 1400 },
  { width: 1920, height: 1080 },
] as const
export type Look = { theme: (typeof themes)[number]; size: (typeof sizes)[number] }

/**
 * Debian's Chromium depends on these fonts: they are wherever it is. Letters of other scripts come from whatever
 * there is.
 */
export const pictureFonts = ['Liberation Sans', 'Liberation Mono'] as const
const stillStyle = `
  :root { --sans: "${pictureFonts[0]}"; --mono: "${pictureFonts[1]}" }
  * { animation: none !important; transition: none !important; caret-color: transparent !important }
`

/** What differs from run to run: where it stands, and what stands there in the pictures. */
const unstable: [selector: string, text: string][] = [
  ['.activities-bar p .muted', ' in 4 ms'],
  ['#process .figure-value, #ingest .figure-value', '–'],
  ['.development-versions dd', '–'],
]
const unstableWords: [pattern: string, text: string][] = [
  ['[\\d,]+ events in [\\d.]+ .?B', '700 events in 140 KB'],
  ['\\d+\\.\\d+\\.\\d+\\+[0-9a-f]{8}', '1.0.0+00000000'],
  ['127\\.0\\.0\\.1:\\d+', '127.0.0.1:3000'],
  ['/\\S*sixpane-e2e-\\w+', '/data'],
]

/** Gives the font of the pictures that the browser does not find, or `null` where it has them all. */
export async function missingFont(): Promise<string | null> {
  const page = await (await browser()).newPage()
  const missing = await page.evaluate(fonts => {
    const drawing = document.createElement('canvas').getContext('2d')
    return fonts.find(font => {
      // A font that is there decides the width, whatever stands behind it.
      const [one, other] = ['serif', 'monospace'].map(fallback => {
        if (drawing !== null) drawing.font = `20px "${font}", ${fallback}`
        return drawing?.measureText('Widths of words, ill').width
      })
      return one !== other
    })
  }, pictureFonts)
  await page.close()
  return missing ?? null
}

/** Opens a page whose clock and motion stand still, in the fonts of the pictures. */
export async function openStill(t: Test, { theme, size }: Look): Promise<Page> {
  const page = await openPage(t, {
    colorScheme: theme,
    viewport: size,
    isMobile: size.width < 600,
    hasTouch: size.width < 600,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
    // The pages allow no foreign style.
    bypassCSP: true,
  })
  await page.clock.setFixedTime(sceneMs)
  // What the browser measures of the screens would become events, and these are in the pictures.
  await page.route(`**${browserPath}`, route => route.fulfill({ status: 204 }))
  return page
}

/** Goes there, and puts fixed words in the place of what differs from run to run. */
export async function goStill(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await hydrated(page)
  await page.addStyleTag({ content: stillStyle })
  await page.evaluate(
    ({ unstable, unstableWords }) => {
      for (const [selector, text] of unstable)
        for (const element of document.querySelectorAll(selector)) element.textContent = text
      // What stands between two values in a sentence keeps their texts apart.
      const comments = document.createTreeWalker(document.body, NodeFilter.SHOW_COMMENT)
      const apart: Node[] = []
      while (comments.nextNode()) apart.push(comments.currentNode)
      for (const comment of apart) comment.parentNode?.removeChild(comment)
      document.body.normalize()
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      while (texts.nextNode()) {
        const node = texts.currentNode
        const stable = unstableWords.reduce(
          (words, [pattern, text]) => words.replace(new RegExp(pattern, 'g'), text),
          node.nodeValue ?? '',
        )
        if (stable !== node.nodeValue) node.nodeValue = stable
      }
    },
    { unstable, unstableWords },
  )
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
}

/** What is in view. */
export async function takeView(page: Page): Promise<PNG> {
  return PNG.sync.read(await page.screenshot())
}

/** Each section of the page by its id, whole. */
export async function takeSections(page: Page): Promise<Map<string, PNG>> {
  // What stays in sight would lie over them.
  await page.addStyleTag({ content: '.shell-head, .shell-nav { position: static !important }' })
  const pictures = new Map<string, PNG>()
  for (const section of await page.locator('main section.section').all()) {
    const id = (await section.getAttribute('id')) ?? ''
    pictures.set(id, PNG.sync.read(await section.screenshot()))
  }
  return pictures
}
