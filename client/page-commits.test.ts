import t from 'tap'
import type { Page } from '../shared/page.ts'
import { defaultPreferences } from '../shared/preferences.ts'
import { PageCommits } from './page-commits.ts'

const pageOf = (url: string): Page => ({
  build: 'b1',
  url,
  title: url,
  nowMs: 0,
  preferences: defaultPreferences,
  screen: null,
  content: null,
})
const [first, second, third] = [pageOf('/first'), pageOf('/second'), pageOf('/third')]

/** Returns the names of the waits that have ended. */
async function ended(waits: Record<string, Promise<void>>): Promise<string[]> {
  const names: string[] = []
  for (const [name, wait] of Object.entries(waits)) void wait.then(() => names.push(name))
  await new Promise<void>(resolve => setImmediate(resolve))
  return names
}

t.test('showing a page ends the waits for this page and for earlier pages', async t => {
  const commits = new PageCommits()
  const waits = {
    first: commits.whenShown(first),
    second: commits.whenShown(second),
    third: commits.whenShown(third),
  }
  commits.shown(second)
  t.same(await ended(waits), ['first', 'second'])
  commits.shown(third)
  t.same(await ended(waits), ['first', 'second', 'third'])
})

t.test('an error in React ends every wait', async t => {
  const commits = new PageCommits()
  const waits = { first: commits.whenShown(first), second: commits.whenShown(second) }
  commits.abandon()
  t.same(await ended(waits), ['first', 'second'])
})

t.test('a page is stale once a newer page is requested', async t => {
  const commits = new PageCommits()
  commits.request(first)
  t.equal(commits.isStale(first), false)
  commits.request(second)
  t.equal(commits.isStale(first), true)
  t.equal(commits.isStale(second), false)
})
