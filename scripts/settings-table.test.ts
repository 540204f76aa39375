import { readFileSync } from 'node:fs'
import t from 'tap'
import { allSettings } from '../server/settings/table.ts'
import { withSettingsTable } from './settings-table.ts'

t.test('docs/settings.md lists every setting (`npm run docs` updates it)', async t => {
  const document = readFileSync(new URL('../docs/settings.md', import.meta.url), 'utf8')
  t.equal(document, withSettingsTable(document))
  for (const { variable, meaning } of Object.values(allSettings)) {
    t.match(document, new RegExp(`\\| \`${variable}\` .*`), meaning)
  }
})
