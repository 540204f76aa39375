import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type StartedServer, startServer } from '../../scripts/test/server.ts'
import { paths } from '../../shared/paths.ts'
import { checkoutDigest, failingCheckout } from './events.ts'
import { expect, hydrated, test } from './fixtures.ts'

const root = join(import.meta.dirname, '..', '..')

/** Copies the build and changes the copy's build id, as if a file had changed. */
async function otherBuild(folder: string): Promise<string> {
  const dist = join(folder, 'dist')
  await cp(join(root, 'dist'), dist, { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const manifest = join(dist, 'manifest.json')
  const { build } = JSON.parse(await readFile(manifest, 'utf8'))
  await writeFile(manifest, (await readFile(manifest, 'utf8')).replaceAll(build, 'next'))
  return dist
}

test('tabs that stay open across a deployment lose no input and reload once', async ({
  openPage,
  afterTest,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'sixpane-deployment-'))
  afterTest(() => rm(folder, { recursive: true, force: true }))
  const store = join(folder, 'store')
  let server: StartedServer = await startServer({}, { folder: store })
  afterTest(() => server.stop())
  await server.send(...failingCheckout(Date.now()))

  const log = await openPage()
  await log.goto(server.origin + paths.activities())
  await hydrated(log)
  await log.getByLabel('Search the log').fill('Basket')
  const failure = await openPage()
  await failure.goto(server.origin + paths.development({ digest: checkoutDigest }))
  await hydrated(failure)
  await failure.getByLabel('Add a note').fill('Reported by the shop')
  const home = await openPage()
  await home.clock.install()
  await home.goto(server.origin + paths.home())
  await hydrated(home)

  const { origin } = server
  for (const page of [log, failure]) page.expectConsoleMessage('ERR_CONNECTION_REFUSED')
  const build = await otherBuild(folder)
  await server.stop()
  server = await startServer({ PORT: new URL(origin).port }, { folder: store, build })
  expect(server.origin).toBe(origin)

  const documents: string[] = []
  log.on('request', request => {
    if (request.isNavigationRequest()) documents.push(request.url())
  })
  await log.getByLabel('Search the log').press('Enter')
  await log.waitForURL(url => url.searchParams.get('q') === 'Basket')
  await log.locator('html[data-build=next]').waitFor()
  await hydrated(log)
  expect(await log.getByLabel('Search the log').inputValue()).toBe('Basket')
  await log.getByRole('link', { name: 'Dashboard' }).first().click()
  await log.waitForURL(url => url.pathname === paths.dashboard())
  expect(documents).toHaveLength(1)

  await failure.getByRole('button', { name: 'Add note' }).click()
  await failure.getByText('Reported by the shop').waitFor()

  home.expectConsoleMessage('status of 503')
  const loads: string[] = []
  home.on('request', request => {
    if (request.url() === origin + paths.home()) loads.push(request.resourceType())
  })
  const refreshUntil = async (count: number) =>
    expect
      .poll(async () => {
        await home.clock.fastForward(60_000)
        return loads.length
      })
      .toBeGreaterThanOrEqual(count)
  await home.route(origin + paths.home(), route => route.fulfill({ status: 503 }), { times: 1 })
  const busy = home.waitForEvent('console', message => message.text().includes('503'))
  await home.clock.fastForward(30_000)
  await busy
  const search = home.getByRole('main').getByLabel('Search by digest')
  await search.fill('half a digest')
  await search.blur()
  await refreshUntil(3)
  await home.keyboard.press('Control+k')
  await home.getByRole('dialog').waitFor()
  // The text is removed only now, so that a late response finds the text or the open dialog. A script removes it,
  // because the dialog makes the field unavailable to the visitor.
  await search.evaluate(field => {
    if (field instanceof HTMLInputElement) field.value = ''
  })
  await refreshUntil(loads.length + 2)
  expect(loads, 'a busy server, entered text and an open dialog prevent a reload').not.toContain('document')
  await home.keyboard.press('Escape')
  await refreshUntil(loads.length + 1)
  await home.locator('html[data-build=next]').waitFor()
})
