import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { screens } from '../../shared/screens.ts'
import { expect, serverForFile, test } from './fixtures.ts'
import { expectPicture } from './pictures/expect-picture.ts'
import { sceneDigest, sceneEnv, sceneTraceId, sendScene } from './pictures/scene.ts'
import { goStill, type Look, missingFont, openStill } from './pictures/still.ts'
import { cataloguePaths } from './screen-paths.ts'

test.describe.configure({ mode: 'parallel' })

test.beforeAll(async ({ browser }) => {
  const font = await missingFont(browser)
  test.skip(font !== null, `The font ${font} is not installed, so the pictures would differ`)
})

const server = serverForFile(sceneEnv, sendScene)

/** Pictures do not show Sixpane's own events, because these occur exactly at the end of each range, which is exclusive. */
const views = {
  home: async () => screens.home.path,
  activities: async () => '/activities?range=1h',
  event: () => hrefOfEvent('checkout failed'),
  trace: async () => `/activities?q=trace:${sceneTraceId}&range=1h`,
  dashboard: async () => '/dashboard?service=shop&range=1h',
  development: async () => screens.development.path,
  failure: async () => `/development?digest=${sceneDigest}`,
  settings: async () => screens.settings.path,
}
type View = keyof typeof views
const dialogs = { keys: '?', palette: 'Control+k' }

const laptop: Look = { theme: 'light', size: { width: 1280, height: 1400 } }
const phone: Look = { theme: 'dark', size: { width: 360, height: 1400 } }
const desk: Look = { theme: 'dark', size: { width: 1920, height: 1080 } }

/** Prevents the header from covering components. */
const withoutOverlays = `
  .shell-head, .shell-nav { position: static !important }
  .shell-skip { display: none !important }
`

for (const look of [laptop, phone]) {
  test(`screens match their pictures, ${folderOf(look)}`, async ({ openPage }) => {
    const page = await openStill(openPage, look)
    for (const [name, href] of Object.entries(views)) {
      await goStill(page, server.origin + (await href()))
      await expectPicture(page, [folderOf(look), `${name}.png`])
    }
    for (const [name, key] of Object.entries(dialogs)) {
      await page.keyboard.press(key)
      await page.locator('dialog[open]').waitFor()
      if (name === 'palette') await page.getByRole('option', { name: 'shop' }).first().waitFor()
      await expectPicture(page, [folderOf(look), `${name}.png`])
      await page.keyboard.press('Escape')
    }
    expect(await picturesIn(folderOf(look))).toEqual([...Object.keys(views), ...Object.keys(dialogs)].sort())
  })

  test(`components match their pictures, ${folderOf(look)}`, async ({ openPage }) => {
    // Taller than every section, because a section that is taller than the window would be cut off.
    const page = await openStill(openPage, { ...look, size: { ...look.size, height: 3200 } })
    const ids: string[] = []
    for (const path of cataloguePaths) {
      await goStill(page, server.origin + path)
      await page.addStyleTag({ content: withoutOverlays })
      for (const section of await page.locator('main section.section').all()) {
        const id = String(await section.getAttribute('id'))
        ids.push(id)
        await expectPicture(section, [folderOf(look), 'ui', `${id}.png`])
      }
    }
    expect(await picturesIn(`${folderOf(look)}/ui`)).toEqual(ids.sort())
  })
}

test(`a wide window matches its pictures, ${folderOf(desk)}`, async ({ openPage }) => {
  const page = await openStill(openPage, desk)
  const wide: View[] = ['event', 'home']
  for (const name of wide) {
    await goStill(page, server.origin + (await views[name]()))
    await expectPicture(page, [folderOf(desk), `${name}.png`])
  }
  expect(await picturesIn(folderOf(desk))).toEqual(wide)
})

test('the comparison detects small style changes', async ({ openPage }) => {
  const page = await openStill(openPage, laptop)
  await goStill(page, server.origin + screens.home.path)
  const picture = [folderOf(laptop), 'home.png']
  for (const content of [
    ':root { --accent: #2a39b9 }',
    ':root { --line: #d3d5da }',
    ':root { --muted: #656c7b }',
    '.home-state .icon { visibility: hidden }',
    '.button { letter-spacing: 0.5px }',
    'h2 { font-weight: 500 }',
  ]) {
    const style = await page.addStyleTag({ content })
    await expect(page, content).not.toHaveScreenshot(picture)
    await style.evaluate(element => element.parentNode?.removeChild(element))
  }
  await expect(page, 'the picture matches without the changes').toHaveScreenshot(picture)
})

function folderOf({ theme, size }: Look): string {
  return `${theme}-${size.width}`
}

/** Returns the names of the pictures in a folder, to detect unused ones. */
async function picturesIn(folder: string): Promise<string[]> {
  const names = await readdir(fileURLToPath(new URL(`./pictures/${folder}`, import.meta.url)))
  return names
    .filter(name => name.endsWith('.png'))
    .map(name => name.slice(0, -'.png'.length))
    .sort()
}

async function hrefOfEvent(message: string): Promise<string> {
  const log = new URLSearchParams({ q: `"${message}"`, range: '1h' })
  const answer = await fetch(`${server.origin}/activities?${log}`)
  const [, id] = /event=(\d+)/.exec(await answer.text()) ?? []
  return `/activities?range=1h&event=${id}`
}
