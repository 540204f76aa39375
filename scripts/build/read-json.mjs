// @ts-check
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../prepare/root.mjs'

/** @param {string} path relative to the repository */
export async function readJson(path) {
  return JSON.parse(await readFile(join(root, path), 'utf8'))
}
