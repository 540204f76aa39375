import type { Browser, Page } from '@playwright/test'
import { hydrated, type TestFixtures } from '../fixtures.ts'
import { sceneMs } from './scene.ts'

export type Look = { theme: 'light' | 'dark'; size: { width: number; height: number } }

/** The fonts used for characters that Sixpane's fonts lack, from Debian's package `fonts-liberation`. */
const pictureFonts = ['Liberation Sans', 'Liberation Mono'] as const
const stillStyle = `
  :root { --sans: Inter, "${pictureFonts[0]}"; --mono: "JetBrains Mono", "${pictureFonts[1]}" }
  * { animation: none !important; transition: none !important; caret-color: transparent !important }
`

/** Elements with text that varies between runs, and the text that the pictures show instead. */
const unstable: [selector: string, text: string][] = [
  ['.activities-bar p .muted', ' · 4 ms'],
  ['#process .stat-value, #ingest .stat-value', '–'],
  ['.development-versions dd', '–'],
]
const unstableWords: [pattern: string, text: string][] = [
  ['[\\d,]+ events \\([\\d.]+ .?B\\)', '700 events (140 KB)'],
  ['\\d+\\.\\d+\\.\\d+\\+[0-9a-f]{8}', '1.0.0+00000000'],
  ['127\\.0\\.0\\.1:\\d+', '127.0.0.1:3000'],
  ['/\\S*sixpane-e2e-\\w+', '/data'],
]

/** Returns the first of `pictureFonts` that the browser lacks, or `null`. */
export async function missingFont(browser: Browser): Promise<string | null> {
  const page = await browser.newPage()
  const missing = await page.evaluate(fonts => {
    const drawing = document.createElement('canvas').getContext('2d')
    return fonts.find(font => {
      // The fallback font affects the width only if the font is missing.
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

/** Opens a page without motion and with a fixed clock. */
export async function openStill(openPage: TestFixtures['openPage'], { theme, size }: Look): Promise<Page> {
  const page = await openPage({
    colorScheme: theme,
    viewport: size,
    isMobile: size.width < 600,
    hasTouch: size.width < 600,
    locale: 'en-GB',
    timezoneId: 'UTC',
    // The pages' Content-Security-Policy blocks injected styles.
    bypassCSP: true,
  })
  await page.clock.setFixedTime(sceneMs)
  // Without this, the page would report Web Vitals, and the pictures would show them as events. Intercepting the reports in
  // Playwright would disable the browser's cache.
  await page.addInitScript(() => {
    navigator.sendBeacon = () => true
  })
  return page
}

/** Opens a URL and replaces the text that varies between runs. */
export async function goStill(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await hydrated(page)
  await page.addStyleTag({ content: stillStyle })
  await page.evaluate(
    ({ unstable, unstableWords }) => {
      for (const [selector, text] of unstable)
        for (const element of document.querySelectorAll(selector)) element.textContent = text
      // Browsers show optional fonts only if the fonts load in time.
      for (const sheet of document.styleSheets)
        for (const rule of sheet.cssRules)
          if (rule instanceof CSSFontFaceRule) rule.style.setProperty('font-display', 'block')
      // React separates text nodes with comments, which would split the words to replace.
      const comments = document.createTreeWalker(document.body, NodeFilter.SHOW_COMMENT)
      const apart: Node[] = []
      while (comments.nextNode()) apart.push(comments.currentNode)
      for (const comment of apart) comment.parentNode?.removeChild(comment)
      document.body.normalize()
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      while (walker.nextNode()) {
        const node = walker.currentNode
        const stable = unstableWords.reduce(
          (words, [pattern, text]) => words.replace(new RegExp(pattern, 'g'), text),
          node.nodeValue ?? '',
        )
        if (stable !== node.nodeValue) node.nodeValue = stable
      }
    },
    { unstable, unstableWords },
  )
  await page.evaluate(async () => {
    for (const font of document.fonts) await font.load()
    // Repaints the whole page, because partially repainted edges look slightly different.
    document.body.hidden = true
    await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    document.body.hidden = false
  })
}
