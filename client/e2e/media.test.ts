import type { Page } from '@playwright/test'
import { defaultPreferences, preferencesCookie, serializePreferences } from '../../shared/preferences.ts'
import { screens } from '../../shared/screens.ts'
import { axeViolationsInBothThemes } from './axe.ts'
import { checkoutDigest } from './events.ts'
import { expect, hydrated, test } from './fixtures.ts'
import { type Focus, readFocus } from './focus.ts'
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

/**
 * These pages show every component and chart type, which is sufficient because `prefers-contrast` changes only colours.
 */
const viewsOfColours = [
  ...cataloguePaths,
  `/development?digest=${checkoutDigest}`,
  `/activities?q=trace:${traceId}`,
]

/** These pages contain every kind of control. */
const viewsOfFocus = [screens.activities.path, screens.settings.path, ...cataloguePaths]

test('text has enhanced contrast with prefers-contrast: more', async ({ openPage, shop }) => {
  const page = await openPage({ contrast: 'more' })
  for (const view of viewsOfColours) {
    await page.goto(shop.origin + view)
    await hydrated(page)
    // 7:1 for text: https://www.w3.org/TR/WCAG22/#contrast-enhanced
    const rules = ['color-contrast-enhanced']
    expect(await axeViolationsInBothThemes(page, { rules }), view).toEqual([])
  }
})

test('with forced colours, borders, icons and the focus are visible, and primary buttons have readable labels', async ({
  openPage,
  shop,
}) => {
  const page = await openPage({ forcedColors: 'active' })
  const counts = { light: 0, dark: 0 }
  for (const view of views) {
    await page.goto(shop.origin + view)
    await hydrated(page)
    // The page loads only once, because the theme changes only colours.
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const where = `${view}, ${colorScheme}`
      expect(await borderless(page), `${where}: controls have a border`).toEqual([])
      expect(await invisible(page), `${where}: icons and charts use system colours`).toEqual([])
      const labels = await labelsOfPrimaryButtons(page)
      counts[colorScheme] += labels.length
      for (const { text, color, backgroundColor } of labels)
        expect(color, `${where}: ${text}`).not.toBe(backgroundColor)
    }
    if (viewsOfFocus.includes(view)) {
      await page.emulateMedia({ colorScheme: 'light' })
      const stops = await focusEachKind(page)
      expect(stops.length, view).toBeGreaterThan(5)
      expect(
        stops.filter(({ isFocusVisible }) => !isFocusVisible),
        view,
      ).toEqual([])
    }
  }
  expect(counts.light).toBeGreaterThan(4)
  expect(counts.dark).toBe(counts.light)
})

test('with forced colours, marks, selections and the current screen are distinguishable', async ({
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

test('elements and screens move, unless the system or the preferences request reduced motion', async ({
  openPage,
  shop,
}) => {
  const page = await openPage({ reducedMotion: 'no-preference' })
  const open = async () => {
    await page.goto(shop.origin + screens.ui.path)
    await hydrated(page)
  }
  await open()
  expect((await movingElements(page)).length, 'elements with transitions by default').toBeGreaterThan(0)
  expect(await transitionsToSettings(page), 'transitions between screens by default').toBe(1)

  await page.emulateMedia({ reducedMotion: 'reduce' })
  await open()
  expect(await movingElements(page), 'requested by the system').toEqual([])
  expect(await transitionsToSettings(page), 'requested by the system').toBe(0)

  await page.emulateMedia({ reducedMotion: 'no-preference' })
  const value = serializePreferences({ ...defaultPreferences, motion: 'reduced' })
  await page.context().addCookies([{ name: preferencesCookie, value, url: shop.origin }])
  await open()
  expect(await movingElements(page), 'requested by the preferences').toEqual([])
  expect(await transitionsToSettings(page), 'requested by the preferences').toBe(0)
})

test('printed pages show the range and the search instead of their fields', async ({ openPage, shop }) => {
  const page = await openPage()
  await page.emulateMedia({ media: 'print' })
  const range = /^\d{4}-\d\d-\d\d \d\d:\d\d – \d{4}-\d\d-\d\d \d\d:\d\d UTC$/
  for (const [path, name] of [
    [screens.dashboard.path, 'All services'],
    ['/activities?q=severity:error', 'Activities'],
  ] as const) {
    await page.goto(shop.origin + path)
    await hydrated(page)
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await expect(page.getByText(range)).toBeVisible()
    for (const role of ['textbox', 'searchbox', 'combobox'] as const)
      await expect(page.getByRole(role), `${path}: ${role}`).toHaveCount(0)
    await expect(page.getByRole('link', { name: /^(Earlier|Later|Table)$/ })).toHaveCount(0)
  }
  await expect(page.getByText('Search: severity:error')).toBeVisible()
})

test('a printed list of failures shows complete times, and a printed failure has no text fields', async ({
  openPage,
  shop,
}) => {
  const page = await openPage({ viewport: { width: 840, height: 1123 } })
  await page.emulateMedia({ media: 'print' })
  await page.goto(shop.origin + screens.development.path)
  await hydrated(page)
  const row = page.locator('.failures tbody tr').first()
  expect(
    await row
      .locator('.failures-first, .failures-last')
      .evaluateAll(cells => cells.map(each => each.scrollWidth > each.clientWidth)),
  ).toEqual([false, false])
  await row.getByRole('link').first().click()
  await page.getByRole('heading', { name: 'Latest occurrence' }).waitFor()
  await expect(page.getByRole('textbox')).toHaveCount(0)
})

/** Focuses one control per combination of element name and class, as the Tab key would. */
async function focusEachKind(page: Page): Promise<Focus[]> {
  await page.keyboard.press('Tab')
  return page.evaluate<Focus[]>(`(${focusKinds})(${readFocus})`)
}

/** Runs in the page, so that hundreds of controls need only one round trip. */
function focusKinds(read: () => Focus): Focus[] {
  const controls = document.querySelectorAll<HTMLElement>(
    'a, button, input, select, textarea, summary, [tabindex="0"]',
  )
  const kinds = new Set<string>()
  return [...controls].flatMap(control => {
    const isUsable = control.checkVisibility() && !control.matches(':disabled, a:not([href])')
    const kind = `${control.localName} ${control.className}`
    if (!isUsable || kinds.has(kind)) return []
    kinds.add(kind)
    control.focus()
    return [read()]
  })
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

function labelsOfPrimaryButtons(page: Page) {
  return page.locator('.button[data-kind="primary"]').evaluateAll(buttons =>
    buttons.map(button => {
      const { color, backgroundColor } = getComputedStyle(button)
      return { text: button.textContent, color, backgroundColor }
    }),
  )
}

/** Returns the icons and shapes that are invisible because of their colour. */
function invisible(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const behind = getComputedStyle(document.body).backgroundColor
    const icons = [...document.querySelectorAll('.icon, .severity, td[data-severity]')].flatMap(element => {
      const { backgroundColor } = getComputedStyle(element, element.matches('.icon') ? null : '::before')
      return backgroundColor === behind ? [`${element.outerHTML}: ${backgroundColor}`] : []
    })
    const shapes = [...document.querySelectorAll('svg :is(path, rect, line, circle)')].flatMap(shape => {
      const { fill, stroke, fillOpacity } = getComputedStyle(shape)
      // Pointer targets are invisible on purpose, and so are the background-coloured stripes on incomplete columns.
      const isExempt = shape.closest('.chart-read, .chart-target, pattern') !== null
      const isDrawn = [fill, stroke].some(
        color => color !== 'none' && color !== behind && fillOpacity !== '0',
      )
      return isExempt || isDrawn ? [] : [`${shape.parentElement?.getAttribute('class')}: ${fill}, ${stroke}`]
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
