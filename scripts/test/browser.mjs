// @ts-check
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { root } from '../prepare/root.mjs'
import { run } from '../prepare/run.mjs'
import { installPackages } from './apt.mjs'

/** The headless shell has no window to draw, and runs the tests in two thirds of the time. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]
const debianPackages = ['chromium-headless-shell', 'fonts-liberation']

/**
 * Finds or installs a Chromium: CHROMIUM_PATH, else one on the PATH, else Debian's package as root, else Playwright's
 * download.
 * @param {(line: string) => void} tell
 * @returns {Promise<{ path: string } | { problem: string }>}
 */
export async function findBrowser(tell) {
  const given = process.env.CHROMIUM_PATH
  if (given) {
    if (await works(given)) return { path: given }
    return { problem: `CHROMIUM_PATH is ${given}, which is not a browser that runs here` }
  }
  const path =
    (await installedBrowser()) ??
    ((await installPackages(debianPackages, tell)) ? await installedBrowser() : null)
  if (path !== null) return { path }

  // Its command line downloads nothing where the browser is there already.
  tell('Getting a Chromium with playwright…')
  const { output } = await run(process.execPath, [playwright('cli.js'), 'install', 'chromium'])
  const { chromium } = await import('@playwright/test')
  const downloaded = chromium.executablePath()
  if (await works(downloaded)) return { path: downloaded }
  return { problem: `There is no Chromium: install one, or set CHROMIUM_PATH. playwright said:\n${output}` }
}

/** @param {string} file */
function playwright(file) {
  return join(root, 'node_modules', 'playwright-core', file)
}

/** @returns {Promise<string | null>} the path of a browser that runs */
export async function installedBrowser() {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of names) {
      const path = join(folder, name)
      const executable = await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
      // Some systems have a script of that name which only says where to get the browser.
      if (executable && (await works(path))) return path
    }
  }
  return null
}

/** @param {string} path */
async function works(path) {
  return (await run(path, ['--version'])).code === 0
}
