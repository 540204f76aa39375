import { paths } from '../../shared/paths.ts'
import { axeViolations } from './axe.ts'
import { covered } from './covered.ts'
import { expect, hydrated, serverForFile, test } from './fixtures.ts'

const line = (name: string, index: number) => ({ level: 30, time: Date.now() - index, name, msg: 'faceted' })
const server = serverForFile({}, server =>
  server.send(
    ...['alpha', 'alpha', 'alpha', 'beta', 'beta', 'gamma', 'a-service-with-a-long-name'].map(line),
    // Enough routes and versions to make the facets taller than the window.
    ...Array.from({ length: 120 }, (_, index) => ({
      ...line('alpha', index),
      msg: 'many',
      route: `/route-${index % 30}`,
      version: `1.${index % 30}`,
    })),
    ...['Acme "West"', 'Acme "West"', 'beta', ''].map((tenant, index) => ({
      ...line('alpha', index),
      msg: 'counted',
      tenant,
    })),
  ),
)
/** The panel of an open event covers the end of a row. */
const startOfRow = { position: { x: 8, y: 8 } }
const log = paths.activities({ q: 'faceted', range: { span: '1h' } })

for (const javaScriptEnabled of [true, false]) {
  test(`several values of a field can be chosen, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async ({
    openPage,
  }) => {
    const page = await openPage({ javaScriptEnabled, viewport: { width: 1280, height: 800 } })
    await page.goto(server.origin + log)
    if (javaScriptEnabled) await hydrated(page)
    const filters = page.getByRole('region', { name: 'Filters' })
    const value = (name: string) => filters.getByRole('link', { name: new RegExp(`^${name} ?\\d`) })
    await value('beta').click()
    await expect(page.getByRole('main').getByText('2 events')).toBeVisible()
    await expect(value('alpha'), 'other values keep their counts').toHaveText(/3$/)
    await value('gamma').click()
    await expect(page.getByRole('main').getByText('3 events')).toBeVisible()
    expect(new URL(page.url()).searchParams.get('q')).toBe('faceted (service:beta OR service:gamma)')
    await value('beta').click()
    await expect(page.getByRole('main').getByText('1 event', { exact: false }).first()).toBeVisible()
    await expect(value('gamma')).toHaveAttribute('aria-current', 'true')
    await expect(value('beta')).not.toHaveAttribute('aria-current')
  })
}

test('a facet is one tab stop, and the arrow keys reach its values and their Exclude links', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(server.origin + log)
  await hydrated(page)
  const filters = page.getByRole('region', { name: 'Filters' })
  await filters.getByRole('textbox', { name: 'Filter fields and values' }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(filters.getByRole('link', { name: /^alpha/ })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(filters.getByRole('link', { name: /^beta/ })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  const exclude = filters.getByRole('link', { name: 'Exclude Service beta' })
  await expect(exclude).toBeFocused()
  await page.keyboard.press('Control+ArrowLeft')
  await expect(exclude, 'the browser handles keys with a modifier').toBeFocused()
  await page.keyboard.press('Tab')
  await expect(filters.locator('summary').nth(1)).toBeFocused()
  await exclude.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(url => url.searchParams.get('q') === 'faceted -service:beta')
})

test('the arrow keys move by row, also past a value without links', async ({ openPage }) => {
  await server.send(
    ...['one', 'one', 'one', 'two\nlines', 'two\nlines', 'six'].map((colour, index) => ({
      ...line('alpha', index),
      msg: 'painted',
      colour,
    })),
  )
  const page = await openPage({ viewport: { width: 1280, height: 800 } })
  const range = { span: '1h' } as const
  await page.goto(
    server.origin + paths.activities({ q: 'painted', range, columns: 'message,@colour', facet: '@colour' }),
  )
  await hydrated(page)
  const value = (text: string) => page.locator('a.facet-value', { hasText: text })
  const exclude = (text: string) => page.getByRole('link', { name: `Exclude colour ${text}` })
  await value('one').focus()
  for (const [key, focused] of [
    ['ArrowDown', value('two')],
    ['ArrowDown', value('six')],
    ['ArrowUp', value('two')],
    ['ArrowUp', value('one')],
    ['ArrowRight', exclude('one')],
    ['ArrowDown', exclude('six')],
    ['ArrowUp', exclude('one')],
    ['ArrowLeft', value('one')],
  ] as const) {
    await page.keyboard.press(key)
    await expect(focused).toBeFocused()
  }
})

for (const [width, isCut] of [
  [1280, true],
  [600, false],
] as const) {
  test(`the end of a long value is visible, and its accessible name is complete, ${width} px`, async ({
    openPage,
  }) => {
    const page = await openPage({ javaScriptEnabled: false, viewport: { width, height: 800 } })
    await page.goto(server.origin + log)
    const value = page.getByRole('link', { name: 'a-service-with-a-long-name 1', exact: true })
    const [start, end] = [value.getByText('a-service-with-a-lon'), value.getByText('g-name', { exact: true })]
    await end.scrollIntoViewIfNeeded()
    expect(await covered(end)).toEqual([])
    const isStartCut = await start.evaluate(element => element.scrollWidth > element.clientWidth)
    expect(isStartCut).toBe(isCut)
  })
}

for (const javaScriptEnabled of [true, false]) {
  test(`the values of an attribute are counted on request, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async ({
    openPage,
  }) => {
    const page = await openPage({ javaScriptEnabled, viewport: { width: 360, height: 800 } })
    const range = { span: '1h' } as const
    await page.goto(server.origin + paths.activities({ q: 'counted', range, columns: 'message,@tenant' }))
    if (javaScriptEnabled) await hydrated(page)
    const filters = page.getByRole('region', { name: 'Filters' })
    await filters.getByRole('link', { name: 'Count tenant values' }).click()
    await expect(filters.getByRole('link', { name: '(empty) 1' })).toBeInViewport()
    if (javaScriptEnabled) expect(await axeViolations(page, { within: '#filters' })).toEqual([])
    await filters.getByRole('link', { name: 'Acme "West" 2' }).click()
    await expect(page.getByRole('main').getByText('2 events')).toBeVisible()
    await expect(
      filters.getByRole('link', { name: 'beta 1' }),
      'other values keep their counts',
    ).toBeVisible()
    expect(new URL(page.url()).searchParams.get('q')).toBe('counted tenant:"Acme \\"West\\""')
    await filters.getByRole('link', { name: 'Hide counts' }).click()
    await expect(filters.getByRole('link', { name: 'Acme "West"', exact: true })).toHaveAttribute(
      'aria-current',
      'true',
    )
  })
}

test('going back restores the facets and their filter', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(server.origin + log)
  await hydrated(page)
  const field = page.getByRole('textbox', { name: 'Filter fields and values' })
  await field.fill('beta')
  await field.press('Enter')
  const other = page.getByRole('link', { name: /^gamma/ })
  await expect(other).toBeHidden()
  await page.goBack()
  await expect(other).toBeVisible()
  await expect(field).toHaveValue('')
})

test('opening and closing an event preserves the expanded facet and the filter of the facets', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 1280, height: 800 } })
  const panel = page.getByRole('region', { name: 'Open event' })
  const field = page.getByRole('textbox', { name: 'Filter fields and values' })
  const other = page.getByRole('link', { name: /^gamma/ })
  await page.goto(`${server.origin}${log}&facet=service&find=beta`)
  await hydrated(page)
  await page.locator('.events tbody a').first().click(startOfRow)
  await expect(panel).toBeVisible()
  const isFiltered = async () => {
    await expect(field).toHaveValue('beta')
    await expect(other).toBeHidden()
    expect(new URL(page.url()).search).toContain('facet=service&find=beta')
  }
  await isFiltered()
  await page.reload()
  await expect(panel).toBeVisible()
  await isFiltered()
  await hydrated(page)
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await isFiltered()
})

test('going back from filtered facets to an open event restores the facets', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(server.origin + log)
  await hydrated(page)
  const panel = page.getByRole('region', { name: 'Open event' })
  await page.locator('.events tbody a').first().click(startOfRow)
  await expect(panel).toBeVisible()
  const field = page.getByRole('textbox', { name: 'Filter fields and values' })
  await field.fill('beta')
  await field.press('Enter')
  const other = page.getByRole('link', { name: /^gamma/ })
  await expect(other).toBeHidden()
  await page.goBack()
  await expect(panel).toBeVisible()
  await expect(other).toBeVisible()
  await expect(field).toHaveValue('')
})

test('the facets stay beside the log while it scrolls', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 1280, height: 600 } })
  await page.goto(server.origin + paths.activities({ q: 'many', range: { span: '1h' } }))
  await hydrated(page)
  await page.evaluate(() => scrollTo(0, 1200))
  await expect(page.getByRole('textbox', { name: 'Filter fields and values' })).toBeInViewport()
})
