import type { Page } from 'playwright-core'
import t from 'tap'
import {
  defaultPreferences,
  type Preferences,
  preferencesCookie,
  serializePreferences,
} from '../../shared/preferences.ts'
import { screenIds, screens } from '../../shared/screens.ts'
import { axeViolations } from './axe.ts'
import { closeBrowser, hydrated, openPage } from './browser.ts'
import { failingCheckout } from './events.ts'
import { startServer } from './server.ts'
import { failingTrace, traceId } from './trace.ts'
import { walk } from './walk.ts'

const server = await startServer()
t.teardown(async () => {
  await closeBrowser()
  await server.stop()
})

const { events, digest } = failingCheckout(Date.now())
await server.send(...events, ...failingTrace(Date.now()))

const views = [
  ...screenIds.map(id => screens[id].path),
  `/development?digest=${digest}`,
  `/activities?q=trace:${traceId}`,
  '/activities?q=status:(',
]

for (const colorScheme of ['light', 'dark'] as const) {
  t.test(`more contrast where it is asked for, ${colorScheme}`, async t => {
    const page = await openPage(t, { colorScheme, contrast: 'more', reducedMotion: 'reduce' })
    for (const view of views) {
      await page.goto(server.origin + view)
      await hydrated(page)
      // 7:1 for text: https://www.w3.org/TR/WCAG22/#contrast-enhanced
      t.same(await axeViolations(page, 'color-contrast-enhanced'), [], view)
    }
  })

  t.test(`forced colours, ${colorScheme}`, async t => {
    const page = await openPage(t, { colorScheme, forcedColors: 'active', reducedMotion: 'reduce' })
    for (const view of views) {
      await page.goto(server.origin + view)
      await hydrated(page)
      t.same(await borderless(page), [], `${view}: controls have an edge`)
      t.same(await invisible(page), [], `${view}: icons and charts are drawn in colours of the system`)
    }
    for (const path of [screens.activities.path, screens.settings.path, screens.ui.path]) {
      await page.goto(server.origin + path)
      await hydrated(page)
      const unseen = (await walk(page)).filter(({ isSeen }) => !isSeen)
      t.same(unseen, [], `${path}: the focus is to be seen`)
    }
  })
}

t.test('forced colours tell apart what colour tells apart', async t => {
  const page = await openPage(t, { forcedColors: 'active' })
  await page.goto(`${server.origin}/activities?q="checkout"`)
  await hydrated(page)
  const mark = page.locator('.events mark').first()
  t.not(await backgroundOf(mark), await backgroundOf(page.locator('body')), 'what was searched for')
  await page.goto(`${server.origin}/activities?q=severity:error`)
  const chip = page.locator('.chip[aria-current=true]').first()
  t.not(
    await borderOf(chip),
    await borderOf(page.locator('.chip:not([aria-current])').first()),
    'what is chosen',
  )
  const here = page.getByRole('navigation', { name: 'Screens' }).locator('[aria-current=page]')
  t.equal(await here.evaluate(link => getComputedStyle(link).outlineStyle), 'solid', 'where one is')
  await page.locator('.events tbody a').first().click()
  const row = page.locator('.events tr[data-open]')
  await row.waitFor()
  const outlineOf = (located: Located) => located.evaluate(element => getComputedStyle(element).outlineStyle)
  t.not(
    await outlineOf(row),
    await outlineOf(page.locator('.events tr:not([data-open])').last()),
    'what is open',
  )
})

for (const [name, preferences, reducedMotion] of [
  ['the system', {}, 'reduce'],
  ['the preferences', { motion: 'reduced' }, 'no-preference'],
] as const satisfies [string, Partial<Preferences>, 'reduce' | 'no-preference'][]) {
  t.test(`nothing moves where ${name} asks for it`, async t => {
    const page = await openPage(t, { reducedMotion })
    const value = serializePreferences({ ...defaultPreferences, ...preferences })
    await page.context().addCookies([{ name: preferencesCookie, value, url: server.origin }])
    await countTransitions(page)
    for (const view of views) {
      await page.goto(server.origin + view)
      await hydrated(page)
      t.same(await moving(page), [], view)
    }
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    await page.locator('main[data-screen=settings]').waitFor()
    t.equal(await transitions(page), 0, 'one screen takes the place of another at once')
  })
}

t.test('motion is short where nobody minds it', async t => {
  const page = await openPage(t, { reducedMotion: 'no-preference' })
  await countTransitions(page)
  await page.goto(server.origin + screens.ui.path)
  await hydrated(page)
  t.ok((await moving(page)).length > 0, 'there is some')
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.locator('main[data-screen=settings]').waitFor()
  t.equal(await transitions(page), 1)
})

/** What moves, or would move if it changed or something were on its way: with how long it takes. */
function moving(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    document.documentElement.dataset.pending = ''
    const found = [...document.querySelectorAll('*')].flatMap(element => {
      const { transitionDuration, animationName, animationDuration } = getComputedStyle(element)
      const isStill = Number.parseFloat(transitionDuration) === 0 && animationName === 'none'
      return isStill
        ? []
        : [`${element.className}: ${transitionDuration}, ${animationName} ${animationDuration}`]
    })
    delete document.documentElement.dataset.pending
    return found
  })
}

async function countTransitions(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const start = document.startViewTransition.bind(document)
    Object.assign(window, { transitions: 0 })
    document.startViewTransition = (...values) => {
      Object.assign(window, { transitions: Number(Reflect.get(window, 'transitions')) + 1 })
      return start(...values)
    }
  })
}

function transitions(page: Page): Promise<number> {
  return page.evaluate(() => Number(Reflect.get(window, 'transitions')))
}

/** Controls that are in sight without a line around them. */
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

/** Shapes that are drawn in the colour behind them, or in one that nobody chose for this. */
function invisible(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const behind = getComputedStyle(document.body).backgroundColor
    return [...document.querySelectorAll('svg :is(path, rect, line, circle)')].flatMap(shape => {
      const { fill, stroke, fillOpacity } = getComputedStyle(shape)
      const isRead = shape.closest('.chart-read') !== null
      const isDrawn = [fill, stroke].some(
        color => color !== 'none' && color !== behind && fillOpacity !== '0',
      )
      return isRead || isDrawn ? [] : [`${shape.parentElement?.getAttribute('class')}: ${fill}, ${stroke}`]
    })
  })
}

type Located = { evaluate<T>(read: (element: Element) => T): Promise<T> }

function backgroundOf(located: Located): Promise<string> {
  return located.evaluate(element => getComputedStyle(element).backgroundColor)
}

function borderOf(located: Located): Promise<string> {
  return located.evaluate(element => getComputedStyle(element).border)
}
