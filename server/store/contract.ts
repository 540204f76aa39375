import type { Test } from 'tap'
import { failing } from './contract/failing.ts'
import { failureBook } from './contract/failure-book.ts'
import { figures } from './contract/figures.ts'
import { keeping } from './contract/keeping.ts'
import { limits } from './contract/limits.ts'
import { paging } from './contract/paging.ts'
import type { MakePlace } from './contract/place.ts'
import { savedSearches } from './contract/saved-searches.ts'
import { searching } from './contract/searching.ts'
import { settings } from './contract/settings.ts'
import { sourceMaps } from './contract/source-maps.ts'
import { tokens } from './contract/tokens.ts'
import { webhooks } from './contract/webhooks.ts'

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
