import { checkoutDigest, checkoutRequestId, failingCheckout } from './events.ts'
import { expect, hydrated, serverForFile, test } from './fixtures.ts'

const server = serverForFile({}, server => server.send(...failingCheckout(Date.now())))

for (const javaScriptEnabled of [true, false]) {
  test(`a digest leads to its cause, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async ({
    openPage,
  }) => {
    const page = await openPage({ javaScriptEnabled })
    const ready = async () => {
      if (javaScriptEnabled) await hydrated(page)
    }

    await page.goto(server.origin)
    await ready()
    await page.getByText(/^shop is degraded/).waitFor()
    await page.getByText("Cannot read properties of null (reading 'total')").first().waitFor()

    await page.goto(`${server.origin}/activities?q=${encodeURIComponent('"properties of null"')}`)
    await ready()
    await page
      .getByRole('link', { name: /properties of null|checkout failed/ })
      .first()
      .click()
    await page.getByText('user.plan', { exact: true }).waitFor()
    await page.getByText('/app/src/checkout.ts').first().waitFor()

    await page.goto(server.origin)
    await ready()
    const box = page.getByRole('main').getByRole('searchbox')
    await box.fill(`${checkoutDigest}@E352`)
    await box.press('Enter')
    await page
      .getByRole('heading', { name: /TypeError|properties of null/ })
      .first()
      .waitFor()
    expect(page.url()).toMatch(/\/development\?.*failure=[0-9a-f]{10}/)
    await page.getByText('src/checkout.ts').first().waitFor()
    await page.getByText(checkoutRequestId).first().waitFor()
    await page.getByText('POST /checkout').first().waitFor()
  })
}

test('each digest of a failure opens the occurrence with that digest', async ({ openPage }) => {
  const failed = (index: number) => ({
    level: 50,
    name: 'shop',
    version: `1.${index}.0`,
    msg: 'refund failed',
    reqId: `req-refund-${index}`,
    err: {
      type: 'RefundError',
      message: 'nothing to refund',
      stack: `RefundError: nothing to refund\n    at refund (/app/src/refund.ts:${index}:1)`,
      digest: `410000${index}`,
    },
  })
  await server.send(failed(1))
  await server.send(failed(2))
  const page = await openPage()
  for (const index of [1, 2]) {
    await page.goto(server.origin)
    const box = page.getByRole('main').getByRole('searchbox')
    await box.fill(`Digest: 410000${index}`)
    await box.press('Enter')
    await page.getByText(`Showing digest 410000${index}`).waitFor()
    await page.getByText(`src/refund.ts:${index}:1`).first().waitFor()
    await page
      .getByRole('link', { name: `req-refund-${index}` })
      .first()
      .waitFor()
  }
})

test('a search for the text of a support ticket opens the failure, and text that is too long stays in the field with a message', async ({
  openPage,
}) => {
  const page = await openPage()
  await page.goto(server.origin)
  await hydrated(page)
  const box = page.getByRole('main').getByRole('searchbox')
  await box.fill(`Hi, I see Digest: ${checkoutDigest} on checkout, please help`)
  await box.press('Enter')
  await page.getByRole('region', { name: 'TypeError' }).waitFor()

  await page.goto(server.origin)
  await hydrated(page)
  const tooLong = 'エラー。'.repeat(2000)
  await box.fill(tooLong)
  await box.press('Enter')
  expect(await box.evaluate((field: HTMLInputElement) => field.validationMessage)).toMatch(
    /too long to search/,
  )
  await expect(box).toHaveValue(tooLong)
  await box.fill(`${'エラー。'.repeat(1000)}\nDigest: ${checkoutDigest}`)
  await box.press('Enter')
  await page.getByRole('region', { name: 'TypeError' }).waitFor()
})

test('a digest that several failures share opens one of them, with links to the others', async ({
  openPage,
}) => {
  const failed = (type: string) => ({
    level: 50,
    name: 'shop',
    err: {
      type,
      message: `${type} message`,
      stack: `${type}: x\n    at ${type} (/app/${type}.js:1:1)`,
      digest: '5550001',
    },
  })
  await server.send(failed('CartError'))
  await server.send(failed('StockError'))
  const page = await openPage()
  await page.goto(`${server.origin}/development?digest=5550001`)
  await page.getByRole('region', { name: 'StockError' }).waitFor()
  await page.getByRole('link', { name: 'CartError: CartError message' }).click()
  await page.getByRole('region', { name: 'CartError' }).waitFor()
  await page.getByRole('link', { name: 'StockError: StockError message' }).waitFor()
})
