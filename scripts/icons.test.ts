import { readFile } from 'node:fs/promises'
import t from 'tap'
import { iconNames } from '../client/components/icon-names.ts'
import { severities } from '../shared/severity.ts'
import { iconFiles, severityNames } from './icons.mjs'

t.test('icon names and shapes are up to date', async t => {
  t.ok(iconNames.length > 20)
  for (const [name, text] of Object.entries(await iconFiles())) {
    const written = await readFile(new URL(`../client/components/${name}`, import.meta.url), 'utf8')
    t.equal(written, text, name)
  }
})

t.test('every severity has an icon', async t => {
  t.same([...severityNames].sort(), [...severities].sort())
  for (const severity of severities) t.ok(iconNames.includes(severity), severity)
})
