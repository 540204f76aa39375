import { paths } from '../../shared/paths.ts'
import { expect, hydrated, serverForFile, test } from './fixtures.ts'

const line = (msg: string) => ({ level: 30, time: Date.now(), name: 'follow-me', msg })

const server = serverForFile({}, server =>
  server.send(...Array.from({ length: 120 }, (_, index) => line(`early ${index}`))),
)
const log = '/activities?q=service:follow-me'

test('without JavaScript, filters can exclude a value and undo the exclusion', async ({ openPage }) => {
  const page = await openPage({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } })
  await page.goto(`${server.origin}/activities`)
  await page.getByRole('link', { name: 'Exclude Service follow-me' }).click()
  expect(new URL(page.url()).searchParams.get('q')).toBe('-service:follow-me')
  await page.getByRole('link', { name: 'Stop excluding Service follow-me' }).click()
  expect(new URL(page.url()).searchParams.get('q')).toBe(null)
})

test('Escape closes a menu, then the open event, but not while typing; submitting its form closes a menu', async ({
  openPage,
}) => {
  const page = await openPage()
  await page.goto(`${server.origin}/activities`)
  await hydrated(page)
  await page.locator('.events tbody a').first().click()
  const event = page.getByRole('article', { name: 'Event' })
  await event.waitFor()
  const columns = page.locator('details', { has: page.getByText('Columns', { exact: true }) })
  await columns.locator('summary').focus()
  await page.keyboard.press('Enter')
  await columns.getByLabel('Attributes').focus()
  // The input method cancels its composition.
  await columns
    .getByLabel('Attributes')
    .dispatchEvent('keydown', { key: 'Escape', isComposing: true, bubbles: true })
  await expect(columns).toHaveAttribute('open')
  await page.keyboard.press('Escape')
  await expect(columns).not.toHaveAttribute('open')
  await expect(event).toBeVisible()
  await page.getByRole('searchbox').first().focus()
  await page.keyboard.press('Escape')
  await expect(event).toBeVisible()
  await page.getByRole('button', { name: 'Live' }).focus()
  await page.keyboard.press('Escape')
  await expect(event).toBeHidden()
  expect(new URL(page.url()).searchParams.has('event')).toBe(false)

  const menu = page.locator('details.range')
  await menu.locator('summary').click()
  await menu.getByRole('button', { name: 'Apply' }).click()
  await page.waitForURL(/from=/)
  await expect(menu).not.toHaveAttribute('open')
})

test('pressing the mouse button on a chart draws no focus ring', async ({ openPage }) => {
  const page = await openPage()
  await page.goto(server.origin + log)
  await hydrated(page)
  const bar = await page.locator('.chart-plot a').nth(3).boundingBox()
  if (bar === null) throw new Error('The chart is not visible')
  await page.mouse.move(bar.x + bar.width / 2, bar.y + bar.height / 2)
  await page.mouse.down()
  const pressed = await page.evaluate(() => {
    const { activeElement } = document
    const links = [...document.querySelectorAll('.chart-plot a')]
    return {
      isLink: activeElement !== null && links.includes(activeElement),
      outline: activeElement && getComputedStyle(activeElement).outlineStyle,
      tabStops: links.filter(link => link.getAttribute('tabindex') !== '-1').length,
    }
  })
  expect(pressed).toEqual({ isLink: true, outline: 'none', tabStops: 0 })
})

test('on a small phone, a long time range leaves room for the heading and buttons', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 320, height: 640 } })
  const range = { fromMs: Date.now() - 30 * 3_600_000, toMs: Date.now() }
  await page.goto(server.origin + paths.activities({ q: 'service:follow-me', range }))
  const heading = await page.getByRole('heading', { name: 'Activities' }).boundingBox()
  expect(heading?.height).toBeLessThan(24)
  await expect(page.getByRole('button', { name: 'More' })).toBeInViewport({ ratio: 1 })
})
