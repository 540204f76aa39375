import { paths, sentryPaths } from '../../shared/paths.ts'
import { axeViolationsInBothThemes } from './axe.ts'
import { expect, serverForFile, test } from './fixtures.ts'

const server = serverForFile()
const release = 'shop@1.4.0'

/** Sends an envelope as Sentry's SDKs do: a failure, 200 sessions (one of which crashed) and a replay. */
async function sendEnvelope(digest: string): Promise<void> {
  const [envelope = ''] = sentryPaths.ingest()
  const nowSeconds = Date.now() / 1000
  const frames = [
    { filename: '/app/node_modules/router/index.js', function: 'next', lineno: 9, colno: 3 },
    {
      filename: '/app/src/pay.js',
      function: 'pay',
      lineno: 18,
      colno: 9,
      pre_context: ['export function pay(order) {'],
      context_line: '  return order.total.amount',
      post_context: ['}'],
    },
  ]
  const event = {
    event_id: digest.padStart(32, '0'),
    timestamp: nowSeconds,
    platform: 'node',
    release,
    tags: { plan: 'pro', digest },
    user: { id: 'u1', email: 'ada@shop.example' },
    request: { method: 'POST', url: 'https://shop.example/pay' },
    exception: { values: [{ type: 'PaymentError', value: 'no amount', stacktrace: { frames } }] },
    breadcrumbs: Array.from({ length: 14 }, (_, index) => ({
      timestamp: nowSeconds - 14 + index,
      category: 'cart',
      level: 'info',
      message: `step ${index + 1}`,
    })),
  }
  const sessions = {
    aggregates: [{ started: new Date().toISOString(), exited: 199, crashed: 1 }],
    attrs: { release },
  }
  const lines = [
    {},
    { type: 'event' },
    event,
    { type: 'sessions' },
    sessions,
    { type: 'replay_recording', length: 2 },
    {},
  ]
  const url = server.origin + envelope.replace(':project', '1')
  const body = lines.map(line => JSON.stringify(line)).join('\n')
  const response = await fetch(url, { method: 'POST', body })
  expect(response.status).toBe(200)
}

test('a digest leads to a failure from a Sentry SDK, with its source lines and context', async ({
  openPage,
}) => {
  await sendEnvelope('2338471')
  const page = await openPage()
  await page.goto(server.origin + paths.home())
  await page.getByRole('searchbox').fill('Digest: 2338471')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'PaymentError' })).toBeVisible()
  await expect(page.getByText('return order.total.amount')).toBeVisible()
  const context = page.getByRole('region', { name: 'Context of this occurrence' })
  await expect(context.getByText('ada@shop.example')).toBeVisible()
  await expect(context.getByText('plan: pro')).toBeVisible()
  await expect(context.getByText('step 14')).toBeVisible()
  await expect(context.getByText('step 4', { exact: true })).toBeHidden()
  await context.getByText('4 earlier').click()
  await expect(context.getByText('step 4', { exact: true })).toBeVisible()
})

test('the dashboard shows crash-free sessions and ignored items', async ({ openPage }) => {
  await sendEnvelope('2338472')
  const page = await openPage()
  await page.goto(server.origin + paths.dashboard())
  const sessions = page.getByRole('table', { name: /^Sessions by release/ })
  await expect(sessions.getByRole('row', { name: /^1\.4\.0 shop/ })).toContainText('99.50%')
  await expect(page.getByText(/Ignored since startup: \d session replays?/)).toBeVisible()
  await sessions
    .getByRole('link', { name: /crashed sessions of shop 1\.4\.0/ })
    .first()
    .click()
  await expect(page.getByText('Sessions: 200 started, 1 crashed').first()).toBeVisible()
})

test('axe finds no violations in the parts that show data from Sentry', async ({ openPage }) => {
  await sendEnvelope('2338473')
  const page = await openPage()
  await page.goto(server.origin + paths.development({ digest: '2338473' }))
  await page.getByText('4 earlier').click()
  expect(await axeViolationsInBothThemes(page, { within: '.failure-context' })).toEqual([])
  await page.goto(server.origin + paths.dashboard())
  expect(await axeViolationsInBothThemes(page, { within: '#sessions, #ingest' })).toEqual([])
})
