import type { SettingsContent } from '../../shared/content.ts'
import { paths } from '../../shared/paths.ts'
import type { Context } from '../context.ts'
import { redactedNames } from '../events/redact.ts'
import type { Screen, ScreenAction } from './screen.ts'
import { readPreferencesForm, timeZones } from './settings-form.ts'
import { serverSettings } from './settings-server.ts'

/** What the visitor chose for this browser, and how the service is set. */
export const settings: Screen<'settings'> = async ({ params, preferences }, context) => ({
  kind: 'content',
  content: {
    ...serviceContent(context),
    values: preferences,
    problems: {},
    saved: params.get('saved') === 'preferences',
  },
})

/** Keeps the preferences, all or none: with anything wrong the form comes back as it was sent. */
export const saveSettings: ScreenAction<'settings'> = async (form, _request, context) => {
  const read = readPreferencesForm(form)
  if ('preferences' in read) {
    const location = paths.settings({ saved: 'preferences' })
    return { kind: 'redirect', location, preferences: read.preferences }
  }
  const content = { ...serviceContent(context), ...read, saved: false }
  return { kind: 'content', status: 422, title: 'Not saved · Settings', content }
}

function serviceContent({ config }: Context): Pick<SettingsContent, 'timeZones' | 'server' | 'redacted'> {
  return { timeZones: [...timeZones], server: serverSettings(config), redacted: [...redactedNames] }
}
