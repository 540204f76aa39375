import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'

type Options = {
  /** The rules to check; default: axe's defaults. */
  rules?: string[] | undefined
  /** A selector for the part to check; default: the whole page. */
  within?: string | undefined
}

declare global {
  interface Window {
    axe: {
      run(context: axe.ContextObject, options: axe.RunOptions): Promise<axe.AxeResults>
      commons: { color: { Color: new (red?: Colour) => Colour } }
    }
  }
}

/** axe's colour class. Its channels are accessors, so a spread would not copy them. */
type Colour = { r: number; g: number; b: number; alpha: number; parseString(text: string): Colour }

const axeCode = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const loadAxe = `${axeCode}; (${rememberColours})()`

/** The default rules that depend on colours. */
const colourRules = ['color-contrast', 'link-in-text-block']

/**
 * Returns the violations in both themes. In the dark theme, checks only the rules for colours by default, because the themes
 * differ only in colours. The page stays in the dark theme.
 */
export async function axeViolationsInBothThemes(page: Page, options: Options = {}): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await axeViolations(page, options)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await axeViolations(page, { rules: colourRules, ...options })
  return [...light.map(each => `light: ${each}`), ...dark.map(each => `dark: ${each}`)]
}

/** Returns the accessibility violations that axe finds: the rule and the HTML of each element. */
export async function axeViolations(page: Page, { rules, within }: Options = {}): Promise<string[]> {
  // Each document loads axe once, because loading it takes as long as running many of its rules.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(loadAxe)
  const options = {
    resultTypes: ['violations'],
    // Describing each checked element with a selector is slow, and the results below contain its HTML.
    selectors: false,
    // Only rules for media files need preloading, and the pages contain no media files.
    preload: false,
    ...(rules === undefined ? {} : { runOnly: rules }),
  } satisfies axe.RunOptions
  const context = {
    // Most rows of a full log differ only in their text, and computing the contrast of each row is slow.
    exclude: ['.events tbody tr:nth-child(n + 16)'],
    ...(within === undefined ? {} : { include: [within] }),
  } satisfies axe.ContextObject
  return page.evaluate(
    async ({ context, options }) => {
      const { violations } = await window.axe.run(context, options)
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
    },
    { context, options },
  )
}

/** Runs in the page. Without this cache, parsing the same few colours for every element takes a third of axe's time. */
function rememberColours(): void {
  const { Color } = window.axe.commons.color
  const { parseString } = Color.prototype
  const cache = new Map<string, Colour>()
  Color.prototype.parseString = function (text: string) {
    const colour = cache.get(text)
    if (colour === undefined) cache.set(text, new Color(parseString.call(this, text)))
    else {
      const { r, g, b, alpha } = colour
      Object.assign(this, { r, g, b, alpha })
    }
    return this
  }
}
