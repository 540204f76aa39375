import type { Page } from '@playwright/test'
import { defaultPreferences, preferencesCookie, serializePreferences } from '../../shared/preferences.ts'
import { screenIds, screens } from '../../shared/screens.ts'
import { axeViolations } from './axe.ts'
import { checkoutDigest, failingCheckout } from './events.ts'
import { expect, hydrated, type OpenedPage, serverForFile, test } from './fixtures.ts'
import { layoutShifts, maxLayoutShift, recordLayoutShifts } from './layout-shift.ts'
import { looks } from './looks.ts'
import { movingElements } from './motion.ts'
import { expectNames, named, treeOf } from './names.ts'
import { cataloguePaths } from './screen-paths.ts'
import { failingTrace, traceId } from './trace.ts'

test.describe.configure({ mode: 'parallel' })

const server = serverForFile({ SIXPANE_DRILL: '1' }, server =>
  server.send(...failingCheckout(Date.now()), ...failingTrace(Date.now())),
)

/** A page to check, and an optional action before the check. */
type View = {
  path: string
  /** Whether the previous view has opened the path. */
  isOpen?: true
  empty?: boolean
  as?: string
  act?: (page: OpenedPage) => Promise<unknown>
  /** The part that the action changes; axe checks the rest of the page in another view. */
  within?: string
  /** If set, names in the accessibility tree are checked too. */
  tree?: 'with a table' | 'without tables'
}

const paths = screenIds.map(id => screens[id].path)
/** The component catalogue and the settings are the same with and without events. */
const pathsWithData = [screens.home, screens.activities, screens.dashboard, screens.development].map(
  ({ path }) => path,
)
/** Checked only with all details expanded, because an expanded page contains everything that the initial page does. */
const expandable = [
  ...paths.filter(path => path !== screens.ui.path),
  `/development?digest=${checkoutDigest}`,
]
const pages: Record<string, View[]> = {
  screens: [
    ...expandable.map(path => ({ path, as: 'expanded', act: expandAll, tree: 'with a table' as const })),
    ...cataloguePaths.map(path => ({ path, tree: 'with a table' as const })),
  ],
  'without data': pathsWithData.map(path => ({ path, empty: true, as: 'no data' })),
  searches: [
    { path: '/activities?q=status:(', tree: 'without tables' },
    { path: '/activities?q=nothing-of-this-kind' },
    { path: `/activities?q=trace:${traceId}`, tree: 'with a table' },
    {
      path: '/activities?columns=severity:200,message:400,release:200,source:200,request:200,@user.plan:200',
    },
    { path: '/activities', as: 'completions', act: complete, within: 'main search' },
    { path: '/activities', as: 'live', isOpen: true, act: startLive },
    { path: '/activities', as: 'with an open event', isOpen: true, act: openEvent, within: '#event' },
  ],
  'errors and dialogs': [
    { path: '/development?digest=4711000000', as: 'digest not found' },
    { path: '/settings', as: 'invalid value', act: saveInvalidTimeZone, within: '#preferences' },
    {
      path: '/',
      as: 'keyboard shortcuts',
      act: page => page.keyboard.press('?'),
      within: 'dialog[open]',
    },
    { path: '/', as: 'palette', isOpen: true, act: openPalette, within: 'dialog[open]' },
    { path: '/nowhere', tree: 'without tables' },
    { path: '/development?drill=content', as: 'failing' },
    { path: '/development?drill=client', as: 'failing' },
  ],
}

for (const { colorScheme, width } of looks) {
  // Each cause of reduced motion is checked only once, because it is independent of the theme and the width.
  const isReducedBySystem = colorScheme === 'light'
  for (const [kind, views] of Object.entries(pages)) {
    test(`${kind}: no accessibility violations, layout shifts, motion or overflow, ${colorScheme}, ${width} px`, async ({
      openPage,
      emptyServer,
    }) => {
      const page = await openPage({
        colorScheme,
        viewport: { width, height: 800 },
        reducedMotion: isReducedBySystem ? 'reduce' : 'no-preference',
      })
      await page.context().addCookies([
        {
          name: preferencesCookie,
          value: serializePreferences({
            ...defaultPreferences,
            motion: isReducedBySystem ? 'system' : 'reduced',
          }),
          url: server.origin,
        },
      ])
      for (const expected of ['status of 404', 'status of 422', 'status of 500', 'on purpose'])
        page.expectConsoleMessage(expected)
      await recordLayoutShifts(page)
      for (const { path, isOpen, empty, as = 'unchanged', act, within, tree } of views) {
        await test.step(`${path}, ${as}`, async () => {
          if (!isOpen) await page.goto((empty ? emptyServer : server).origin + path)
          if (as === 'failing') await page.getByRole('alert').waitFor()
          else if (!isOpen) {
            await hydrated(page)
            const shifts = await layoutShifts(page)
            const sum = shifts.reduce((sum, { value }) => sum + value, 0)
            expect(sum, JSON.stringify(shifts)).toBeLessThan(maxLayoutShift)
          }
          await act?.(page)
          expect(await movingElements(page), 'reduced motion').toEqual([])
          expect(await axeViolations(page, { within })).toEqual([])
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
          expect(overflow, 'the page does not overflow horizontally').toBeLessThanOrEqual(0)
          // One look is sufficient, because names depend neither on the theme nor on the width.
          if (tree !== undefined && width === 1280) {
            const nodes = await treeOf(page)
            expectNames(nodes)
            if (tree === 'with a table') expect(named(nodes, 'table').length, 'tables').toBeGreaterThan(0)
          }
        })
      }
    })
  }
}

test('layout shifts are detected', async ({ openPage }) => {
  const page = await openPage()
  await recordLayoutShifts(page)
  await page.goto(server.origin)
  await hydrated(page)
  await layoutShifts(page)
  await page.evaluate(() => {
    const late = document.createElement('div')
    late.append(document.createElement('hr'), 'late', document.createElement('hr'))
    document.querySelector('main')?.prepend(late)
  })
  expect((await layoutShifts(page)).length > 0).toBeTruthy()
})

/** Opens every `<details>`, including menus. */
function expandAll(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true
  })
}

async function openEvent(page: Page): Promise<void> {
  await page.locator('.events tbody a').first().click()
  await page.getByRole('article', { name: 'Event' }).waitFor()
}

async function startLive(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Live' }).click()
  await page.locator('[data-connection=open]').waitFor()
}

async function complete(page: Page): Promise<void> {
  await page.getByLabel('Search the log').pressSequentially('service:')
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('ArrowDown')
}

async function saveInvalidTimeZone(page: Page): Promise<void> {
  await page.getByLabel('Time zone').fill('Mars/Base')
  await page.getByLabel('Time zone').press('Enter')
  await page.getByText('Not saved.').first().waitFor()
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('shop')
  await page.getByRole('option', { name: /shop/ }).first().waitFor()
}
