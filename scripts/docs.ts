/** `npm run docs`: updates the table of settings in the README. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withSettingsTable } from '../server/settings/readme-table.ts'
import { root } from './prepare/root.mjs'

const path = join(root, 'README.md')
await writeFile(path, withSettingsTable(await readFile(path, 'utf8')))
