import type { Test } from 'tap'
import { append } from './append.ts'
import { audit } from './audit.ts'
import { eventPages } from './event-pages.ts'
import { failureDigests } from './failure-digests.ts'
import { failureGrouping } from './failure-grouping.ts'
import { failureStates } from './failure-states.ts'
import { failures } from './failures.ts'
import { lifecycle } from './lifecycle.ts'
import { limited } from './limited.ts'
import { manualGrouping } from './manual-grouping.ts'
import { metrics } from './metrics.ts'
import { regroup } from './regroup.ts'
import { retention } from './retention.ts'
import { savedSearches } from './saved-searches.ts'
import { search } from './search.ts'
import { settings } from './settings.ts'
import { sharedState } from './shared-state.ts'
import { sourceMaps } from './source-maps.ts'
import type { MakeLocation } from './testing.ts'
import { tokens } from './tokens.ts'
import { transfer } from './transfer.ts'
import { undos } from './undos.ts'
import { webhooks } from './webhooks.ts'

/**
 * The tests that every engine must pass, in three functions. DuckDB has a test file for each function, because three files
 * run faster than one. `make` creates an empty location for a store.
 */
export async function testEventStore(t: Test, make: MakeLocation): Promise<void> {
  await t.test('append', t => append(t, make))
  await t.test('event pages', t => eventPages(t, make))
  await t.test('search', t => search(t, make))
  await t.test('metrics', t => metrics(t, make))
  await t.test('limited queries', t => limited(t, make))
  await t.test('retention', t => retention(t, make))
  await t.test('transfer', t => transfer(t, make))
  await t.test('lifecycle', t => lifecycle(t, make))
}

export async function testFailureStore(t: Test, make: MakeLocation): Promise<void> {
  await t.test('failures', t => failures(t, make))
  await t.test('failure states', t => failureStates(t, make))
  await t.test('failure grouping', t => failureGrouping(t, make))
  await t.test('manual grouping', t => manualGrouping(t, make))
  await t.test('failure digests', t => failureDigests(t, make))
  await t.test('regroup', t => regroup(t, make))
}

export async function testWorkspaceStore(t: Test, make: MakeLocation): Promise<void> {
  await t.test('saved searches', t => savedSearches(t, make))
  await t.test('source maps', t => sourceMaps(t, make))
  await t.test('webhooks', t => webhooks(t, make))
  await t.test('tokens', t => tokens(t, make))
  await t.test('audit log', t => audit(t, make))
  await t.test('settings', t => settings(t, make))
  await t.test('shared state', t => sharedState(t, make))
  await t.test('undos', t => undos(t, make))
}
