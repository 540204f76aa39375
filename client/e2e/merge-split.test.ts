import { paths } from '../../shared/paths.ts'
import { until } from '../../shared/testing/until.ts'
import { axeViolations, axeViolationsInBothThemes } from './axe.ts'
import { expect, hydrated, type OpenedPage, serverForFile, test } from './fixtures.ts'

const server = serverForFile()

/** Sends one occurrence of a failure: the function `where`, which `pay` calls, throws the error. */
function fail(where: string, overrides: { version?: string; file?: string; message?: string } = {}) {
  const { version = '1.0.0', file = where, message = `${where} declined` } = overrides
  const type = 'PaymentError'
  const frames = [`at ${where} (/app/src/${file}.ts:42:17)`, 'at pay (/app/src/pay.ts:1:1)']
  const stack = [`${type}: ${message}`, ...frames].join('\n    ')
  const err = { type, message, stack, digest: `${where}-${message.length}` }
  return server.send({ level: 50, time: Date.now(), name: 'shop', version, msg: 'payment failed', err })
}

const digestOf = (where: string, message = `${where} declined`) => `${where}-${message.length}`

async function open(page: OpenedPage, digest: string): Promise<void> {
  await page.goto(server.origin + paths.development({ digest }))
}

/** Selects a failure to merge into the displayed one. */
async function choose(page: OpenedPage, other: string): Promise<void> {
  const grouping = page.locator('#grouping')
  await grouping.getByText('Merge with another failure').click()
  const field = grouping.getByRole('textbox', { name: 'Failure ID, fingerprint or digest' })
  await field.fill(other)
  await field.press('Enter')
  await grouping.getByText('1 occurrence will move to this failure').waitFor()
}

/** Merges another failure into the displayed one. Each of them has one occurrence. */
async function merge(page: OpenedPage, other: string): Promise<void> {
  await choose(page, other)
  await page.getByRole('button', { name: 'Merge 1 occurrence' }).click()
  await page.getByText('2 in total').waitFor()
}

/** Returns a page's HTML, to find out when it contains something that is stored about a second after an event. */
const htmlOf = async (url: string) => (await (await fetch(url)).text()).replaceAll('<!-- -->', '')

for (const javaScriptEnabled of [true, false]) {
  const state = javaScriptEnabled ? 'on' : 'off'
  const ready = async (page: OpenedPage) => {
    if (javaScriptEnabled) await hydrated(page)
  }

  test(`a failure can be merged and split again, JavaScript ${state}`, async ({ openPage }) => {
    const page = await openPage({ javaScriptEnabled })
    const [card, voucher] = [`${state}Card`, `${state}Voucher`]
    for (const where of [card, card, voucher]) await fail(where)
    const failure = page.getByRole('region', { name: 'PaymentError' })
    const grouping = failure.locator('#grouping')
    const axe = async (within = '#grouping') => {
      if (javaScriptEnabled) expect(await axeViolationsInBothThemes(page, { within })).toEqual([])
    }

    await open(page, digestOf(voucher))
    await failure.getByText('1 in total').waitFor()
    await failure.getByRole('textbox', { name: 'Add a note' }).fill('Vouchers expired')
    await failure.getByRole('button', { name: 'Add note' }).click()
    await failure.getByText('Vouchers expired').waitFor()

    await open(page, digestOf(card))
    await ready(page)
    await grouping.getByText('Merge with another failure').click()
    const field = grouping.getByRole('textbox', { name: 'Failure ID, fingerprint or digest' })
    await field.fill('unknown')
    await grouping.getByRole('button', { name: 'Find failure' }).click()
    await grouping.getByText('No stored failure has this ID, fingerprint or digest').waitFor()
    await axe()
    await field.fill(digestOf(voucher))
    await field.press('Enter')
    await grouping.getByText('1 occurrence and 1 note will move to this failure').waitFor()
    await axe()
    await grouping.getByRole('button', { name: 'Merge 1 occurrence' }).click()
    await failure.getByText('3 in total').waitFor()
    await failure.getByText('Vouchers expired').waitFor()
    await expect(grouping.getByRole('listitem')).toHaveCount(2)
    await axe('#failure')

    const id = new URL(page.url()).searchParams.get('failure')
    await open(page, digestOf(voucher))
    await failure.getByText('3 in total').waitFor()
    await ready(page)
    await grouping.locator('summary', { hasText: 'Split off' }).click()
    await grouping.getByText('This failure keeps its state and 2 other occurrences.').waitFor()
    await axe()
    await grouping.getByRole('button', { name: 'Split off 1 occurrence' }).click()
    await failure.getByText('1 in total').waitFor()
    await failure.getByText('Vouchers expired').waitFor()
    expect(new URL(page.url()).searchParams.get('failure')).not.toBe(id)
    await open(page, digestOf(card))
    await failure.getByText('2 in total').waitFor()
    expect(await failure.getByText('Vouchers expired').count()).toBe(0)
  })
}

test('a similar failure can be selected for a merge', async ({ openPage }) => {
  const page = await openPage()
  const grouping = page.locator('#grouping')
  await fail('refund')
  await fail('refund', { message: 'limit exceeded' })
  await open(page, digestOf('refund'))
  await hydrated(page)
  await grouping.getByText('Merge with another failure').click()
  await grouping.getByRole('button', { name: 'Find failure' }).click()
  const select = grouping.getByRole('button', { name: 'Select' })
  await page.waitForURL(address => address.searchParams.has('merge'))
  await until(
    () => htmlOf(page.url()),
    html => html.includes('limit exceeded'),
  )
  await page.reload()
  await grouping.getByRole('link', { name: 'PaymentError: limit exceeded' }).waitFor()
  expect(await axeViolations(page, { within: '#grouping' })).toEqual([])
  await select.click()
  await grouping.getByRole('button', { name: 'Merge 1 occurrence' }).click()
  await page.getByText('2 in total').waitFor()
})

test('a note that is not saved yet stays during a merge, and a split asks before it discards the note', async ({
  openPage,
}) => {
  const page = await openPage()
  const grouping = page.locator('#grouping')
  const questions: string[] = []
  page.on('dialog', async dialog => {
    questions.push(dialog.message())
    await dialog.dismiss()
  })
  for (const where of ['coupon', 'gift']) await fail(where)
  await open(page, digestOf('coupon'))
  await hydrated(page)
  const note = page.getByRole('textbox', { name: 'Add a note' })
  await note.fill('Half a note')
  await choose(page, digestOf('gift'))
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByText('1 occurrence will move to this failure').waitFor({ state: 'detached' })
  await merge(page, digestOf('gift'))
  await expect(note).toHaveValue('Half a note')
  expect(questions).toEqual([])

  await grouping.locator('summary', { hasText: 'Split off' }).click()
  await grouping.getByRole('button', { name: 'Split off 1 occurrence' }).click()
  await page.getByText('1 in total').waitFor()
  await expect(grouping.getByRole('listitem')).toHaveCount(0)
  await expect(note).toHaveValue('Half a note')
  expect(questions).toEqual([expect.any(String)])
})

test('repeating a merge or split that another tab has already made shows a problem', async ({ openPage }) => {
  const [page, late] = [await openPage(), await openPage()]
  late.expectConsoleMessage('status of 422')
  for (const where of ['freight', 'parcel']) await fail(where)
  for (const each of [page, late]) {
    await open(each, digestOf('freight'))
    await hydrated(each)
  }
  await choose(late, digestOf('parcel'))
  await merge(page, digestOf('parcel'))
  const grouping = late.locator('#grouping')
  await grouping.getByRole('button', { name: 'Merge 1 occurrence' }).click()
  await grouping.getByText('This belongs to the failure on this page').waitFor()
  await expect(grouping.getByRole('textbox')).toBeFocused()

  for (const each of [page, late]) {
    await each.locator('#grouping summary', { hasText: 'Split off' }).click()
    await each.getByRole('button', { name: 'Split off 1 occurrence' }).click()
    await each.getByText('1 in total').waitFor()
  }
  await expect(grouping.getByRole('alert')).toHaveText('This fingerprint can’t be split off any more')
  await expect(grouping.getByRole('alert')).toBeFocused()
  await expect(grouping.getByRole('alert')).toBeInViewport()
})

test('a failure is recognised in the next release, even if its function was renamed', async ({
  openPage,
}) => {
  const page = await openPage()
  const message = 'cart is empty'
  await fail('total', { file: 'cart', message })
  await fail('sumOf', { file: 'cart', message, version: '1.1.0' })
  await open(page, digestOf('sumOf', message))
  await until(
    () => htmlOf(page.url()),
    html => html.includes('2 in total'),
  )
  await page.reload()
  await page.locator('#grouping').getByText('This failure groups 2 fingerprints').waitFor()
})
