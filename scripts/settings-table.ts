import { allSettings } from '../server/settings/table.ts'
import { replaceSection, tableOf } from './markdown.ts'

/** Returns docs/settings.md with an updated table. */
export function withSettingsTable(document: string): string {
  const rows = Object.values(allSettings).map(({ variable, defaultText, meaning }) => [
    `\`${variable}\``,
    defaultText === '' ? '' : `\`${defaultText}\``,
    meaning,
  ])
  return replaceSection(document, 'table', tableOf([['Variable', 'Default', 'Meaning'], ...rows]))
}
