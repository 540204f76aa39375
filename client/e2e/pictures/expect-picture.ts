import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expect } from '../fixtures.ts'

/** Checks that a page or an element looks like its reference picture. The test continues after a difference. */
export async function expectPicture(place: Page | Locator, picture: readonly string[]): Promise<void> {
  // Most screenshots equal their picture byte for byte, and decoding both takes longer than drawing the page.
  if (await isSameFile(place, picture)) return
  await expect.soft(place).toHaveScreenshot([...picture])
}

/** Uses the default options of `toHaveScreenshot`. */
async function isSameFile(place: Page | Locator, picture: readonly string[]): Promise<boolean> {
  const actual = await place.screenshot({ animations: 'disabled', caret: 'hide', scale: 'css' })
  const wanted = await readFile(join(import.meta.dirname, ...picture)).catch(() => null)
  return wanted?.equals(actual) ?? false
}
