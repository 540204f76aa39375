import t from 'tap'
import { screenIds, screens } from '../../shared/screens.ts'
import { render, textOf } from '../components/testing.tsx'
import { screenKeys } from './keys-dialog.tsx'
import { NotFound } from './not-found.tsx'
import { Shell } from './shell.tsx'

const frame = render(<Shell>content</Shell>)

t.test('the frame leads to the six screens, the search and the content', async t => {
  for (const id of screenIds) t.match(frame, `href="${screens[id].path}"`)
  t.match(frame, /<a class="shell-skip" href="#main">.*<main id="main" tabindex="-1"[^>]*>content<\/main>/s)
  t.match(frame, /<form action="\/activities" method="get">.*<input id="shell-search"[^>]* name="q"/s)
  t.match(frame, 'id="announcer"')
})

t.test('each screen has a key of its own, and the dialog names it', async t => {
  t.equal(new Set(Object.values(screenKeys)).size, screenIds.length)
  for (const id of screenIds) t.match(textOf(frame), `g ${screenKeys[id]} Go to ${screens[id].title}`)
})

t.test('an unknown address leads to the six screens', async t => {
  const html = render(<NotFound />)
  for (const id of screenIds) t.match(html, `href="${screens[id].path}"`)
})
