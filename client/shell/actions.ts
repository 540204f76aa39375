import { paths } from '../../shared/paths.ts'
import type { Preferences } from '../../shared/preferences.ts'
import { settingsForms } from '../../shared/screens/settings.ts'
import { copyText } from '../copy-text.ts'
import { isRedirected } from '../is-redirected.ts'
import { showProblem } from '../page-notice.ts'
import { forgetPrefetched } from '../prefetched.ts'
import type { Command } from './commands.ts'
import { openKeysDialog } from './keys-dialog.tsx'

const group = 'Actions'
const themes: Readonly<Record<Preferences['theme'], string>> = {
  light: 'Theme: light',
  dark: 'Theme: dark',
  system: 'Theme: system',
}

/** Returns the actions of the current page, followed by global actions. */
export function actionCommands(): Command[] {
  const currentTheme = document.documentElement.dataset.theme
  return [
    ...pageCommands(),
    { group, label: 'Copy link to this view', act: () => copyText(location.href) },
    {
      group,
      label: 'Connect a service',
      searchText: 'pino opentelemetry loki',
      href: paths.development({ view: 'connect' }),
    },
    { group, label: 'Keyboard shortcuts', searchText: 'shortcuts help', act: openKeysDialog },
    ...(['dark', 'light', 'system'] as const)
      .filter(theme => theme !== currentTheme)
      .map(theme => ({ group, label: themes[theme], act: () => setTheme(theme) })),
  ]
}

/** Commands for the live log's button and the download links of the page. */
function pageCommands(): Command[] {
  const follow = document.querySelector<HTMLButtonElement>('main button[aria-keyshortcuts="l"]')
  const files = [...document.querySelectorAll<HTMLAnchorElement>('main a[download]')]
  return [
    ...(follow === null
      ? []
      : [{ group, label: 'Toggle live log', searchText: 'tail', act: () => follow.click() }]),
    ...files.map(file => ({
      group,
      label: `Export as ${file.textContent.trim()}`,
      searchText: 'download',
      href: file.href,
      isFile: true,
    })),
  ]
}

/** Saves the theme as the settings form does, and applies it immediately. */
async function setTheme(theme: Preferences['theme']): Promise<void> {
  const response = await fetch(paths.settings(), {
    method: 'POST',
    body: new URLSearchParams({ form: settingsForms.preferences, theme }),
    // The form redirects to a page that is not needed here.
    redirect: 'manual',
  }).catch(() => null)
  forgetPrefetched()
  // If the session has ended, a proxy redirects to its sign-in page instead.
  if (response?.type === 'opaqueredirect' && !(await isRedirected(paths.settings(), null))) {
    document.documentElement.dataset.theme = theme
    // Otherwise, the form on /settings would save the previous theme with the next change.
    const choice = document.querySelector<HTMLInputElement>(`[name="theme"][value="${theme}"]`)
    if (choice !== null) choice.checked = true
  } else showProblem('The theme could not be saved')
}
