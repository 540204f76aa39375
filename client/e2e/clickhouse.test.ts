import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchClickHouse } from '../../scripts/test/clickhouse.ts'
import { startServer } from '../../scripts/test/server.ts'
import { paths } from '../../shared/paths.ts'
import { type ScreenId, screenIds, screens } from '../../shared/screens.ts'
import { checkoutDigest, checkoutRequestId, failingCheckout } from './events.ts'
import { expect, hydrated, type OpenedPage, type TestFixtures, test } from './fixtures.ts'

/** Starts ClickHouse. Returns the settings of a server that stores its data in a new database. */
async function newDatabase(afterTest: TestFixtures['afterTest']): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'sixpane-e2e-'))
  afterTest(() => rm(folder, { recursive: true, force: true }))
  const { url, stop } = await launchClickHouse(folder)
  afterTest(stop)
  url.pathname = `/e2e_${randomUUID().replaceAll('-', '_')}`
  return { SIXPANE_STORE: url.href, SIXPANE_DRILL: '1' }
}

async function open(page: OpenedPage, url: string): Promise<void> {
  const response = await page.goto(url)
  expect(response?.status(), url).toBe(200)
  await hydrated(page)
}

test('every screen works with ClickHouse, and changes persist across a restart', async ({
  openPage,
  afterTest,
}) => {
  const env = await newDatabase(afterTest)
  const server = await startServer(env)
  afterTest(() => server.stop())
  await server.send(...failingCheckout(Date.now()))
  const { origin } = server
  const page = await openPage()
  const main = page.getByRole('main')

  await test.step('all screens', async () => {
    // These are opened below with a check of their content.
    const checkedBelow: readonly ScreenId[] = ['home', 'activities', 'settings']
    for (const id of screenIds.filter(id => !checkedBelow.includes(id)))
      await open(page, origin + screens[id].path)
    await open(page, origin + paths.activities({ q: 'service:shop', range: { span: '1h' } }))
    await page.getByRole('link', { name: 'checkout failed' }).first().waitFor()
    await open(page, origin)
    await page.getByText(/^shop is degraded/).waitFor()
  })

  await test.step('a digest leads to its cause', async () => {
    const box = main.getByRole('searchbox')
    await box.fill(`${checkoutDigest}@E352`)
    await box.press('Enter')
    await page.waitForURL(url => url.searchParams.has('failure'))
    await page.getByText('src/checkout.ts').first().waitFor()
    await page.getByText(checkoutRequestId).first().waitFor()
  })

  const failure = page.url()
  await test.step('the state of a failure', async () => {
    await main.getByRole('button', { name: 'Resolve in the next release' }).first().click()
    await main.getByText('Resolved').filter({ visible: true }).first().waitFor()
  })

  await test.step('the live feed', async () => {
    await open(page, origin + paths.activities({ q: 'service:live', range: { span: '1h' } }))
    await page.getByRole('button', { name: 'Live' }).click()
    await page.locator('[data-connection=open]').waitFor()
    await server.send({ name: 'live', msg: 'it has arrived' })
    await page.getByRole('link', { name: 'it has arrived' }).waitFor()
  })

  await test.step('a saved search', async () => {
    await page.getByText('Saved', { exact: true }).click()
    await page.getByLabel('Save search as').fill('Live events')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await main.getByText('Search saved.').waitFor()
  })

  await test.step('a setting', async () => {
    await open(page, origin + paths.settings())
    await expect(page.getByRole('row', { name: /SIXPANE_STORE/ })).toContainText(
      /ClickHouse at .*, database e2e_/,
    )
    const level = page.getByRole('region', { name: 'Log level', exact: true })
    await level.getByLabel('Minimum level').selectOption('debug')
    await level.getByRole('button', { name: 'Save' }).click()
    await level.getByText('Log level saved.').first().waitFor()
  })

  await test.step('after a restart', async () => {
    expect(await server.stop()).toBe(0)
    const next = await startServer(env)
    afterTest(() => next.stop())
    await open(page, failure.replace(origin, next.origin))
    await main.getByText('Resolved').filter({ visible: true }).first().waitFor()
    await open(page, next.origin + paths.activities())
    await page.getByText('Saved', { exact: true }).click()
    await page.getByRole('link', { name: 'Live events' }).click()
    await page.getByRole('link', { name: 'it has arrived' }).waitFor()
    await open(page, next.origin + paths.settings())
    const level = page.getByRole('region', { name: 'Log level', exact: true })
    await expect(level.getByLabel('Minimum level')).toHaveValue('debug')
  })
})
