import t from 'tap'
import { screens } from '../../shared/screens.ts'
import { closeBrowser } from './browser.ts'
import { differenceOf, leftPictures, problemOf } from './pictures/compare.ts'
import { sceneDigest, sceneTraceId, startScene } from './pictures/scene.ts'
import { goStill, missingFont, openStill, sizes, takeSections, takeView, themes } from './pictures/take.ts'

const server = await startScene()
t.teardown(async () => {
  await closeBrowser()
  await server.stop()
})

// Other letters make other pictures.
const font = await missingFont()
const options = font === null ? {} : { skip: `The font ${font} is not installed` }

/**
 * Sixpane's own events are of the instant at which every range ends, and so in none of them. `/ui` is looked at in its
 * parts.
 */
const views: Record<string, string> = {
  home: screens.home.path,
  activities: '/activities?range=1h',
  event: await hrefOfEvent('checkout failed'),
  trace: `/activities?q=trace:${sceneTraceId}&range=1h`,
  dashboard: '/dashboard?service=shop&range=1h',
  development: screens.development.path,
  failure: `/development?digest=${sceneDigest}`,
  settings: screens.settings.path,
}

for (const theme of themes) {
  for (const size of sizes) {
    const look = `${theme}-${size.width}`
    t.test(`the screens look as they did, ${look}`, options, async t => {
      const page = await openStill(t, { theme, size })
      for (const [name, view] of Object.entries(views)) {
        await goStill(page, server.origin + view)
        t.equal(await problemOf(`${look}/${name}`, await takeView(page)), null)
      }
      // Over the last of them.
      for (const [name, key] of Object.entries({ keys: '?', palette: 'Control+k' })) {
        await page.keyboard.press(key)
        await page.locator('dialog[open]').waitFor()
        if (name === 'palette') await page.getByRole('option', { name: 'shop' }).first().waitFor()
        t.equal(await problemOf(`${look}/${name}`, await takeView(page)), null)
        await page.keyboard.press('Escape')
      }
    })

    t.test(`the parts look as they did, ${look}`, options, async t => {
      const page = await openStill(t, { theme, size })
      await goStill(page, server.origin + screens.ui.path)
      for (const [id, picture] of await takeSections(page))
        t.equal(await problemOf(`${look}/ui/${id}`, picture), null)
    })
  }
}

t.test('a change that is to be seen is a difference', options, async t => {
  const page = await openStill(t, { theme: 'light', size: sizes[1] })
  await goStill(page, server.origin + screens.home.path)
  const before = await takeView(page)
  t.equal(differenceOf(before, await takeView(page)).where, null, 'the same twice')
  const changes = [
    ':root { --accent: #2a39b9 }',
    ':root { --line: #d3d5da }',
    ':root { --muted: #656c7b }',
    '.home-state .icon { visibility: hidden }',
    '.chip { padding-inline: 11px }',
    'h2 { font-weight: 500 }',
  ]
  for (const content of changes) {
    const style = await page.addStyleTag({ content })
    t.not(differenceOf(before, await takeView(page)).where, null, content)
    await style.evaluate(element => element.parentNode?.removeChild(element))
  }
  t.equal(differenceOf(before, await takeView(page)).where, null, 'and back')
})

t.test('every kept picture is of something that is there', options, async t => {
  t.same(await leftPictures(), [])
})

async function hrefOfEvent(message: string): Promise<string> {
  const log = new URLSearchParams({ q: `"${message}"`, range: '1h' })
  const answer = await fetch(`${server.origin}/activities?${log}`)
  const [, id] = /event=(\d+)/.exec(await answer.text()) ?? []
  return `/activities?range=1h&event=${id}`
}
