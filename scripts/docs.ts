/** `npm run docs`: updates the table in docs/settings.md. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withSettingsTable } from '../server/settings/markdown-table.ts'
import { root } from './prepare/root.mjs'

const path = join(root, 'docs/settings.md')
await writeFile(path, withSettingsTable(await readFile(path, 'utf8')))
