import { defineConfig } from '@playwright/test'
import { installedBrowser } from './scripts/test/browser.mjs'

const executablePath = process.env.CHROMIUM_PATH ?? (await installedBrowser())

/** The browser tests. `npx playwright test` runs them on an existing build. */
export default defineConfig({
  testDir: 'client/e2e',
  testMatch: '*.test.ts',
  outputDir: 'client/e2e/failed',
  snapshotPathTemplate: '{testDir}/pictures/{arg}{ext}',
  updateSnapshots: 'none',
  workers: 3,
  forbidOnly: true,
  // A failed test runs again to record a trace. `npm test` tolerates one test that passes in the second run.
  retries: 1,
  // Sufficient for a busy machine.
  timeout: 240_000,
  // Detects differences that are hard to see, but tolerates a few different pixels at the edges of letters.
  expect: { timeout: 15_000, toHaveScreenshot: { threshold: 0.05, maxDiffPixels: 12 } },
  use: {
    actionTimeout: 15_000,
    navigationTimeout: 30_000,
    trace: 'on-first-retry',
    // Drawing a transition without a GPU takes longer than loading a page. Tests of transitions ask for them.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(executablePath === null ? {} : { executablePath }),
      // Chromium's sandbox does not work for root in a container, and the tests open only our own pages.
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        // The tests open only pages of local servers, so isolating sites in separate processes would only cost time.
        '--disable-site-isolation-trials',
        '--renderer-process-limit=1',
        // Nothing is drawn on a GPU, so its process would only cost time, like optimising scripts that run for a moment.
        '--in-process-gpu',
        '--js-flags=--no-opt',
      ],
    },
  },
})
