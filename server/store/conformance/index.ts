import type { Test } from 'tap'
import { failing } from './failing.ts'
import { failureBook } from './failure-book.ts'
import { figures } from './figures.ts'
import { keeping } from './keeping.ts'
import { limits } from './limits.ts'
import { paging } from './paging.ts'
import type { MakePlace } from './place.ts'
import { savedSearches } from './saved-searches.ts'
import { searching } from './searching.ts'
import { settings } from './settings.ts'
import { sourceMaps } from './source-maps.ts'
import { tokens } from './tokens.ts'
import { webhooks } from './webhooks.ts'

/** What every engine must do: its own test calls this with what gives it a new, empty place for a store. */
export async function testStore(t: Test, make: MakePlace): Promise<void> {
  await t.test('keeping', t => keeping(t, make))
  await t.test('paging', t => paging(t, make))
  await t.test('searching', t => searching(t, make))
  await t.test('figures', t => figures(t, make))
  await t.test('failures', t => failing(t, make))
  await t.test('failure book', t => failureBook(t, make))
  await t.test('limits', t => limits(t, make))
  await t.test('saved searches', t => savedSearches(t, make))
  await t.test('source maps', t => sourceMaps(t, make))
  await t.test('webhooks', t => webhooks(t, make))
  await t.test('tokens', t => tokens(t, make))
  await t.test('settings', t => settings(t, make))
}
