/** `npm run docs`: updates the table in docs/settings.md. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './prepare/root.mjs'
import { withSettingsTable } from './settings-table.ts'

const path = join(root, 'docs/settings.md')
await writeFile(path, withSettingsTable(await readFile(path, 'utf8')))
