import { paths } from '../../shared/paths.ts'
import { failureForms } from '../../shared/screens/development.ts'
import { axeViolationsInBothThemes } from './axe.ts'
import { covered } from './covered.ts'
import { expect, hydrated, type OpenedPage, serverForFile, test } from './fixtures.ts'

const server = serverForFile()

/** Returns the digest of an error that the function `where` throws, and `in`, which sends the error from a release. */
function failing(where: string, message = 'card declined') {
  const digest = `${where.length}${where.charCodeAt(0)}71904`
  return {
    digest,
    in: (version: string) =>
      server.send({
        level: 50,
        time: Date.now(),
        name: `shop-${where}`,
        version,
        msg: 'payment failed',
        reqId: 'r1',
        err: {
          type: `${where}Error`,
          message,
          stack: `${where}Error: ${message}\n    at ${where} (/app/src/${where}.ts:42:17)`,
          digest,
        },
      }),
  }
}

async function resolve(digest: string): Promise<void> {
  const answer = await fetch(server.origin + paths.development({ digest }), {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: server.origin },
    body: new URLSearchParams({ form: failureForms.resolve }),
  })
  if (answer.status !== 303) throw new Error(`Resolving returned status ${answer.status}`)
}

test('Reopen does not appear under the pointer, so a second click changes nothing', async ({ openPage }) => {
  const failure = failing('Twice')
  await failure.in('1.0.0')
  const page = await openPage()
  await page.goto(server.origin + paths.development({ digest: failure.digest }))
  await hydrated(page)
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const reopen = button('Reopen')
  for (const width of [360, 599, 800, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    for (const name of [/^Resolve/, 'Mute']) {
      const box = await button(name).boundingBox()
      await button(name).click()
      const other = await reopen.boundingBox()
      if (box === null || other === null) throw new Error('A button is hidden')
      const isBeside = other.x >= box.x + box.width || other.x + other.width <= box.x
      const isAboveOrBelow = other.y >= box.y + box.height || other.y + other.height <= box.y
      expect(isBeside || isAboveOrBelow, `${name} at ${width} pixels`).toBe(true)
      await reopen.click()
      await reopen.waitFor({ state: 'detached' })
    }
  }
})

test('forms change the displayed failures, even if the digest in the URL belongs to several failures or to none', async ({
  openPage,
}) => {
  const page = await openPage()
  page.expectConsoleMessage('status of 404')
  // Both failures have the same digest.
  const [first, second] = [failing('Early'), failing('Eager')]
  await first.in('1.0.0')
  await page.goto(server.origin + paths.development({ digest: first.digest }))
  await hydrated(page)
  await second.in('1.0.0')
  await page.getByRole('button', { name: 'Mute', exact: true }).click()
  await page.getByRole('button', { name: 'Reopen' }).waitFor()
  await expect(page.getByRole('region', { name: 'EarlyError' })).toBeVisible()

  await page.goto(server.origin + paths.development({ digest: '4711000000' }))
  await hydrated(page)
  await page.getByRole('checkbox', { name: /EagerError/ }).check()
  await page.getByRole('button', { name: 'Mute', exact: true }).click()
  await page.getByText('1 failure muted').first().waitFor()
  await expect(page.getByRole('checkbox', { name: /EagerError/ })).toHaveCount(0)
})

/** Reloads the page until the count is not 0, because a returned failure is detected about a second after its event. */
async function eventually(page: OpenedPage, isThere: () => Promise<number>): Promise<void> {
  while ((await isThere()) === 0) await page.reload()
}

for (const javaScriptEnabled of [true, false]) {
  const kind = javaScriptEnabled ? 'Scripted' : 'Plain'
  const ready = async (page: OpenedPage) => {
    if (javaScriptEnabled) await hydrated(page)
  }

  test(`a resolved failure stays resolved in the old release and returns in the next, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async ({
    openPage,
  }) => {
    const page = await openPage({ javaScriptEnabled })
    const failure = failing(`${kind}Pay`)
    const section = page.getByRole('region', { name: `${kind}PayError` })
    const state = (text: string | RegExp) =>
      section.locator('.failure-head, #failure-state').getByText(text).filter({ visible: true }).first()
    await failure.in('1.0.0')

    await page.goto(server.origin + paths.development({ digest: failure.digest }))
    await ready(page)
    const url = page.url()
    await section.getByRole('button', { name: 'Resolve in the next release' }).click()
    await state('Resolved').waitFor()
    expect(new URL(page.url()).searchParams.get('digest')).toBe(new URL(url).searchParams.get('digest'))

    // Occurrences are scanned in order, so when the other failure has returned, the occurrence before it has been scanned.
    const other = failing(`${kind}Next`)
    await other.in('1.0.0')
    await resolve(other.digest)
    await failure.in('1.0.0')
    await other.in('1.1.0')
    await page.goto(server.origin + paths.development({ digest: other.digest }))
    await eventually(page, () => page.locator('.failure-head').getByText('Returned in 1.1.0').count())
    await page.goto(server.origin + paths.development({ digest: failure.digest }))
    await section.getByText('2 in total').waitFor()
    await state('Resolved').waitFor()
    await page.goto(server.origin)
    const services = page.getByRole('region', { name: 'Services' })
    await services
      .getByRole('row', { name: `shop-${kind}Next` })
      .getByText('Failing')
      .waitFor()
    await services
      .getByRole('row', { name: `shop-${kind}Pay` })
      .getByText('OK')
      .waitFor()

    await failure.in('1.1.0')
    await page.goto(server.origin + paths.development({ digest: failure.digest }))
    await eventually(page, () => state('Returned in 1.1.0').count())
    await state(/Resolved .*, in the next release; reopened/).waitFor()
    await page.goto(server.origin)
    await page
      .getByRole('region', { name: 'Latest failures' })
      .getByRole('row', { name: `${kind}PayError card declined Returned in 1.1.0` })
      .waitFor()

    await page.goto(server.origin + paths.development({ digest: failure.digest }))
    await ready(page)
    await section.locator('summary', { hasText: 'Resolve in a specific release' }).click()
    await section.getByLabel('Fixed in', { exact: true }).fill('1.2.0')
    await section.getByRole('button', { name: 'Resolve in this release' }).click()
    await state(/in 1\.2\.0/).waitFor()
    expect(await state('Returned').count()).toBe(0)
  })

  test(`a failure can be muted and reopened, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async ({
    openPage,
  }) => {
    const page = await openPage({ javaScriptEnabled })
    const failure = failing(`${kind}Mail`)
    await failure.in('1.0.0')
    await page.goto(server.origin + paths.development({ digest: failure.digest }))
    await ready(page)
    await page.getByRole('button', { name: 'Mute' }).click()
    await page.getByRole('button', { name: 'Reopen' }).waitFor()

    await page.goto(server.origin + paths.development())
    await ready(page)
    const list = page.getByRole('region', { name: 'Failures' })
    expect(await list.getByRole('link', { name: `${kind}MailError` }).count()).toBe(0)
    await list.getByRole('link', { name: /^Muted/ }).click()
    await page.waitForURL(address => address.searchParams.get('state') === 'muted')
    await expect(list.getByRole('row', { name: `${kind}MailError` })).toContainText('Muted')
    await list.getByRole('link', { name: `${kind}MailError` }).click()
    await page.getByRole('button', { name: 'Reopen' }).click()
    await page.locator('.failure-head').getByText('Open', { exact: true }).waitFor()
    expect(page.url()).toContain('state=muted')
  })

  test(`notes can be added and deleted, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async ({
    openPage,
  }) => {
    const page = await openPage({ javaScriptEnabled })
    page.expectConsoleMessage('status of 422')
    const failure = failing(`${kind}Note`)
    await failure.in('1.0.0')
    await page.goto(server.origin + paths.development({ digest: failure.digest }))
    await ready(page)
    const field = page.getByLabel('Add a note')
    const add = page.getByRole('button', { name: 'Add note' })
    await field.fill('x'.repeat(5001))
    await add.click()
    await page.getByRole('alert').getByText('Enter at most 5000 characters').waitFor()
    expect((await field.inputValue()).length, 'the field keeps the typed text').toBe(5001)
    expect(await field.getAttribute('aria-invalid')).toBe('true')

    await ready(page)
    await field.fill('Seen with <b>empty</b> carts,\nsince Tuesday')
    await add.click()
    await page.getByRole('listitem').getByText('Seen with <b>empty</b> carts,').waitFor()
    expect(await field.inputValue()).toBe('')
    await ready(page)
    await page.getByText('Delete', { exact: true }).click()
    await page.getByRole('button', { name: 'Delete note' }).click()
    await page.getByText('Seen with').waitFor({ state: 'detached' })
  })
}

test('a muted failure can be resolved by keyboard, and the page that its copied link opens has no Undo', async ({
  openPage,
}) => {
  const failure = failing('Quiet')
  await failure.in('1.0.0')
  const page = await openPage({ permissions: ['clipboard-read', 'clipboard-write'] })
  const address = server.origin + paths.development({ digest: failure.digest })
  const state = page.locator('.failure-head .failure-state')
  await page.goto(address)
  await hydrated(page)
  await page.keyboard.press('m')
  await expect(state).toHaveText('Muted')
  await page.keyboard.press('r')
  await expect(state).toHaveText('Resolved')
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  await page.getByText('Share', { exact: true }).click()
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.goto(await page.evaluate(() => navigator.clipboard.readText()))
  await expect(state).toHaveText('Resolved')
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0)
})

test('after an action, its result and Undo are in view', async ({ openPage }) => {
  const failure = failing('Wordy', 'a field of the order is missing; '.repeat(18))
  await failure.in('1.0.0')
  for (const [width, height, scrolledPx] of [
    [360, 640, 0],
    [1280, 700, 400],
  ] as const) {
    const page = await openPage({ viewport: { width, height }, hasTouch: width === 360 })
    await page.goto(server.origin + paths.development({ digest: failure.digest }))
    await hydrated(page)
    await page.evaluate(px => scrollTo(0, px), scrolledPx)
    for (const name of ['Mute', 'Resolve']) {
      await page.getByRole('button', { name }).first().click()
      await expect(page.locator('.failure-head .failure-state')).toHaveText(`${name}d`)
      const result = page.locator('#failure-state p, #failure-state button')
      await expect.poll(() => covered(result), `${name} at ${width} pixels`).toEqual([])
    }
    await page.getByRole('button', { name: 'Reopen' }).click()
    await expect(page.locator('.failure-head .failure-state')).toHaveText('Open')
  }
})

test("after a form is submitted, the focus moves to the changed part, and the failure's title stays in view", async ({
  openPage,
}) => {
  const failure = failing('Focused')
  await failure.in('1.0.0')
  const page = await openPage({ viewport: { width: 1280, height: 700 } })
  const focused = () => page.evaluate(() => document.activeElement?.id)
  await page.goto(server.origin + paths.development({ digest: failure.digest }))
  await hydrated(page)
  await page.getByRole('button', { name: 'Mute' }).click()
  await page.getByRole('button', { name: 'Reopen' }).waitFor()
  await expect(page.locator('#failure-state p')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused()
  await expect(page.locator('#failure-title')).toBeInViewport()
  await page.getByLabel('Add a note').fill('A note')
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByRole('listitem').getByText('A note').waitFor()
  await expect(page.getByRole('button', { name: 'Add note' })).toBeFocused()
  await page.getByText('Delete', { exact: true }).click()
  await page.getByRole('button', { name: 'Delete note' }).click()
  await expect.poll(focused).toBe('notes')
})

test('axe finds no violations for a failure in any state', async ({ openPage }) => {
  const failure = failing('Axe')
  await failure.in('1.0.0')
  const page = await openPage()
  const address = server.origin + paths.development({ digest: failure.digest })
  await page.goto(address)
  await hydrated(page)
  await page.getByLabel('Add a note').fill('A note')
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByRole('listitem').getByText('A note').waitFor()
  // The later changes affect only these parts.
  const state = '.failure-head, #failure-state'
  for (const [button, within] of [
    ['Mute', '#failure'],
    ['Reopen', state],
    ['Resolve in the next release', state],
  ] as const) {
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('button', { name: button }).waitFor({ state: 'detached' })
    for (const summary of await page.locator(within).locator('details > summary').all()) await summary.click()
    expect(await axeViolationsInBothThemes(page, { within }), button).toEqual([])
  }
  await failure.in('1.1.0')
  await eventually(page, () => page.locator('.failure-head').getByText('Returned').count())
  await hydrated(page)
  expect(await axeViolationsInBothThemes(page, { within: state }), 'returned').toEqual([])
})
