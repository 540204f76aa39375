import type { Page } from '@playwright/test'
import { defaultPreferences, preferencesCookie, serializePreferences } from '../../shared/preferences.ts'
import { screens } from '../../shared/screens.ts'
import { axeViolations } from './axe.ts'
import { checkoutDigest } from './events.ts'
import { expect, hydrated, test } from './fixtures.ts'
import { type Focus, focusOf } from './focus.ts'
import { movingElements } from './motion.ts'
import { cataloguePaths, screenPaths } from './screen-paths.ts'
import { traceId } from './trace.ts'

test.describe.configure({ mode: 'parallel' })

const views = [
  ...screenPaths,
  `/development?digest=${checkoutDigest}`,
  `/activities?q=trace:${traceId}`,
  '/activities?q=status:(',
]

/** These pages show every component and chart type, which is sufficient because the preferences change only colours. */
const viewsOfColours = [
  ...cataloguePaths,
  `/development?digest=${checkoutDigest}`,
  `/activities?q=trace:${traceId}`,
]

for (const colorScheme of ['light', 'dark'] as const) {
  test(`enhanced contrast with prefers-contrast: more, ${colorScheme}`, async ({ openPage, shop }) => {
    const page = await openPage({ colorScheme, contrast: 'more', reducedMotion: 'reduce' })
    for (const view of viewsOfColours) {
      await page.goto(shop.origin + view)
      await hydrated(page)
      // 7:1 for text: https://www.w3.org/TR/WCAG22/#contrast-enhanced
      expect(await axeViolations(page, { rules: ['color-contrast-enhanced'] }), view).toEqual([])
    }
  })

  test(`forced colours keep borders and icons visible, ${colorScheme}`, async ({ openPage, shop }) => {
    const page = await openPage({ colorScheme, forcedColors: 'active', reducedMotion: 'reduce' })
    for (const view of views) {
      await page.goto(shop.origin + view)
      await hydrated(page)
      expect(await borderless(page), `${view}: controls have a border`).toEqual([])
      expect(await invisible(page), `${view}: icons and charts use system colours`).toEqual([])
    }
  })
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`forced colours keep the labels of primary buttons readable, ${colorScheme}`, async ({
    openPage,
    shop,
  }) => {
    const page = await openPage({ colorScheme, forcedColors: 'active' })
    let count = 0
    for (const view of [...views, ...cataloguePaths]) {
      await page.goto(shop.origin + view)
      await hydrated(page)
      const labels = await page.locator('.button[data-kind="primary"]').evaluateAll(buttons =>
        buttons.map(button => {
          const { color, backgroundColor } = getComputedStyle(button)
          return { text: button.textContent, color, backgroundColor }
        }),
      )
      count += labels.length
      for (const { text, color, backgroundColor } of labels)
        expect(color, `${view}: ${text}`).not.toBe(backgroundColor)
    }
    expect(count).toBeGreaterThan(5)
  })
}

test('forced colours keep the focus visible', async ({ openPage, shop }) => {
  const page = await openPage({ forcedColors: 'active', reducedMotion: 'reduce' })
  for (const path of [screens.activities.path, screens.settings.path, ...cataloguePaths]) {
    await page.goto(shop.origin + path)
    await hydrated(page)
    const stops = await focusEachKind(page)
    expect(stops.length, path).toBeGreaterThan(5)
    expect(
      stops.filter(({ isFocusVisible }) => !isFocusVisible),
      path,
    ).toEqual([])
  }
})

test('forced colours keep marks, selections and the current screen distinguishable', async ({
  openPage,
  shop,
}) => {
  const page = await openPage({ forcedColors: 'active' })
  await page.goto(`${shop.origin}/activities?q="checkout"`)
  await hydrated(page)
  const mark = page.locator('.events mark').first()
  expect(await backgroundOf(mark), 'search marks').not.toBe(await backgroundOf(page.locator('body')))
  await page.goto(`${shop.origin}/activities?q=severity:error`)
  const chip = page.locator('.chip[aria-current=true]').first()
  expect(await borderOf(chip), 'the selected chip').not.toBe(
    await borderOf(page.locator('.chip:not([aria-current])').first()),
  )
  const here = page.getByRole('navigation', { name: 'Screens' }).locator('[aria-current=page]')
  expect(await here.evaluate(link => getComputedStyle(link).outlineStyle), 'the current screen').toBe('solid')
  await page.locator('.events tbody a').first().click()
  const row = page.locator('.events tr[data-open]')
  await row.waitFor()
  const outlineOf = (located: Located) => located.evaluate(element => getComputedStyle(element).outlineStyle)
  expect(await outlineOf(row), 'the open row').not.toBe(
    await outlineOf(page.locator('.events tr:not([data-open])').last()),
  )
})

test('nothing moves if the preferences request reduced motion', async ({ openPage, shop }) => {
  const page = await openPage({ reducedMotion: 'no-preference' })
  const value = serializePreferences({ ...defaultPreferences, motion: 'reduced' })
  await page.context().addCookies([{ name: preferencesCookie, value, url: shop.origin }])
  for (const view of views) {
    await page.goto(shop.origin + view)
    await hydrated(page)
    expect(await movingElements(page), view).toEqual([])
  }
  expect(await transitionsToSettings(page), 'the next screen appears without a transition').toBe(0)
})

test('no view transition runs if the system requests reduced motion', async ({ openPage, shop }) => {
  const page = await openPage({ reducedMotion: 'reduce' })
  await page.goto(shop.origin + screens.ui.path)
  await hydrated(page)
  expect(await transitionsToSettings(page), 'the next screen appears without a transition').toBe(0)
})

test('animations run by default', async ({ openPage, shop }) => {
  const page = await openPage({ reducedMotion: 'no-preference' })
  await page.goto(shop.origin + screens.ui.path)
  await hydrated(page)
  expect((await movingElements(page)).length > 0, 'some elements have transitions').toBeTruthy()
  expect(await transitionsToSettings(page)).toBe(1)
})

/** Focuses one control per combination of element name and class, as the Tab key would. */
async function focusEachKind(page: Page): Promise<Focus[]> {
  await page.keyboard.press('Tab')
  const controls = page.locator('a, button, input, select, textarea, summary, [tabindex="0"]')
  const indexes = await controls.evaluateAll(elements => {
    const isUsable = (element: Element) =>
      element.checkVisibility() && !element.matches(':disabled, a:not([href])')
    const kinds = elements.map(element =>
      isUsable(element) ? `${element.localName} ${element.className}` : null,
    )
    return kinds.flatMap((kind, index) => (kind !== null && kinds.indexOf(kind) === index ? [index] : []))
  })
  const stops: Focus[] = []
  for (const index of indexes) {
    await controls.nth(index).focus()
    stops.push(await focusOf(page))
  }
  return stops
}

/** Clicks the link to the settings. Returns the number of view transitions. */
async function transitionsToSettings(page: Page): Promise<number> {
  await page.evaluate(() => {
    const start = document.startViewTransition.bind(document)
    Object.assign(window, { transitions: 0 })
    document.startViewTransition = (...values) => {
      Object.assign(window, { transitions: Number(Reflect.get(window, 'transitions')) + 1 })
      return start(...values)
    }
  })
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.locator('main[data-screen=settings]').waitFor()
  return page.evaluate(() => Number(Reflect.get(window, 'transitions')))
}

/** Returns the visible controls without a border. */
function borderless(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const controls = document.querySelectorAll<HTMLElement>(
      '.button, .chip, select, textarea, input:not([type=hidden], [type=radio], [type=checkbox])',
    )
    return [...controls].flatMap(control => {
      const { borderTopStyle, borderTopWidth } = getComputedStyle(control)
      const isEdged = borderTopStyle === 'solid' && Number.parseFloat(borderTopWidth) >= 1
      return isEdged || !control.checkVisibility() ? [] : [control.outerHTML.slice(0, 120)]
    })
  })
}

/** Returns the shapes that their colour makes invisible. */
function invisible(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const behind = getComputedStyle(document.body).backgroundColor
    const icons = [...document.querySelectorAll('.icon, .severity, td[data-severity]')].flatMap(element => {
      const { backgroundColor } = getComputedStyle(element, element.matches('.icon') ? null : '::before')
      return backgroundColor === behind ? [`${element.outerHTML}: ${backgroundColor}`] : []
    })
    const shapes = [...document.querySelectorAll('svg :is(path, rect, line, circle)')].flatMap(shape => {
      const { fill, stroke, fillOpacity } = getComputedStyle(shape)
      // Stripes in the background colour divide bars.
      const isRead = shape.closest('.chart-read, .chart-target, pattern') !== null
      const isDrawn = [fill, stroke].some(
        color => color !== 'none' && color !== behind && fillOpacity !== '0',
      )
      return isRead || isDrawn ? [] : [`${shape.parentElement?.getAttribute('class')}: ${fill}, ${stroke}`]
    })
    return [...icons, ...shapes]
  })
}

type Located = { evaluate<T>(read: (element: Element) => T): Promise<T> }

function backgroundOf(located: Located): Promise<string> {
  return located.evaluate(element => getComputedStyle(element).backgroundColor)
}

function borderOf(located: Located): Promise<string> {
  return located.evaluate(element => getComputedStyle(element).border)
}
