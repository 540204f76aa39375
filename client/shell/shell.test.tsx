import t from 'tap'
import { screenIds, screens } from '../../shared/screens.ts'
import { render, textOf } from '../components/testing.tsx'
import { KeysDialog, screenKeys } from './keys-dialog.tsx'
import { NotFound } from './not-found.tsx'
import { Shell } from './shell.tsx'

const shell = render(<Shell>content</Shell>)

t.test('the shell links to the six screens and contains the search field and the content', async t => {
  for (const id of screenIds) t.match(shell, `href="${screens[id].path}"`)
  t.match(shell, /<a class="shell-skip" href="#main">.*<main id="main" tabindex="-1"[^>]*>content<\/main>/s)
  t.match(shell, /<form action="\/activities" method="get">.*<input id="shell-search"[^>]* name="q"/s)
  t.match(shell, 'id="announcer"')
  const dialogs = shell.match(/<dialog.*?<\/dialog>/gs) ?? []
  t.match(
    dialogs,
    [/<dialog class="palette" aria-label="Commands"><\/dialog>/],
    'the palette is empty and closed',
  )
  t.equal(dialogs.length, 1, 'only scripts can open the list of shortcuts')
})

t.test('each screen has its own shortcut, listed in the dialog', async t => {
  t.equal(new Set(Object.values(screenKeys)).size, screenIds.length)
  const dialog = textOf(render(<KeysDialog />))
  for (const id of screenIds) t.match(dialog, `g ${screenKeys[id]} Go to ${screens[id].title}`)
})

t.test('the page for an unknown path links to the six screens', async t => {
  const html = render(<NotFound />)
  for (const id of screenIds) t.match(html, `href="${screens[id].path}"`)
})
