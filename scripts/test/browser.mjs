// @ts-check
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { root } from '../prepare/root.mjs'
import { run } from '../prepare/run.mjs'
import { installPackages } from './apt.mjs'

/** In order of preference. The headless shell draws no window, so the tests take a third less time. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]
const debianPackages = ['chromium-headless-shell', 'fonts-liberation']

/** @returns {Promise<string[]>} the Debian packages that install Chromium; empty if `findBrowser` would find a browser */
export async function missingBrowserPackages() {
  return process.env.CHROMIUM_PATH || (await installedBrowser()) !== null ? [] : debianPackages
}

/**
 * Finds or installs Chromium. Tries CHROMIUM_PATH, the PATH, Debian's package (as root) and Playwright's download, in this
 * order.
 * @param {(line: string) => void} report
 * @returns {Promise<{ path: string } | { problem: string }>}
 */
export async function findBrowser(report) {
  const given = process.env.CHROMIUM_PATH
  if (given) {
    if (await works(given)) return { path: given }
    return { problem: `CHROMIUM_PATH is ${given}, which is not a working browser` }
  }
  const path =
    (await installedBrowser()) ??
    ((await installPackages(debianPackages, report)) ? await installedBrowser() : null)
  if (path !== null) return { path }

  // Downloads nothing if the browser already exists.
  report('Downloading Chromium with Playwright…')
  const { output } = await run(process.execPath, [playwright('cli.js'), 'install', 'chromium'])
  const { chromium } = await import('@playwright/test')
  const downloaded = chromium.executablePath()
  if (await works(downloaded)) return { path: downloaded }
  return {
    problem: `Chromium was not found. Install it, or set CHROMIUM_PATH. Playwright's output:\n${output}`,
  }
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
      // On some systems, this is a script that only explains how to install the browser.
      if (executable && (await works(path))) return path
    }
  }
  return null
}

/** @param {string} path */
async function works(path) {
  return (await run(path, ['--version'])).code === 0
}
