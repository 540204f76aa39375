import { paths } from '../../shared/paths.ts'
import type { Preferences } from '../../shared/preferences.ts'
import { settingsForms } from '../../shared/screens/settings.ts'
import { announce } from '../announce.ts'
import type { Command } from './commands.ts'
import { openKeysDialog } from './keys-dialog.tsx'

const group = 'Actions'
const themes: Readonly<Record<Preferences['theme'], string>> = {
  light: 'Theme: light',
  dark: 'Theme: dark',
  system: 'Theme: as the system has it',
}

/** What can be done here and now: what the page that is shown offers, and what every page does. */
export function actionCommands(preferences: Preferences): Command[] {
  const shown = document.documentElement.dataset.theme
  return [
    ...pageCommands(),
    { group, label: 'Copy the link to this view', act: copyLink },
    {
      group,
      label: 'Connect a service',
      also: 'pino opentelemetry loki',
      href: `${paths.development()}#connect`,
    },
    { group, label: 'Show the keys', also: 'shortcuts help', act: openKeysDialog },
    ...(['dark', 'light', 'system'] as const)
      .filter(theme => theme !== shown)
      .map(theme => ({ group, label: themes[theme], act: () => setTheme(theme, preferences) })),
  ]
}

/** The buttons and files of the page, so that a command does what a click does. */
function pageCommands(): Command[] {
  const follow = document.querySelector<HTMLButtonElement>('main button[aria-keyshortcuts="l"]')
  const files = [...document.querySelectorAll<HTMLAnchorElement>('main a[download]')]
  return [
    ...(follow === null
      ? []
      : [{ group, label: 'Follow the log live, or stop', also: 'tail', act: () => follow.click() }]),
    ...files.map(file => ({
      group,
      label: `Export as ${file.textContent.trim()}`,
      also: 'download',
      href: file.href,
      isFile: true,
    })),
  ]
}

async function copyLink(): Promise<void> {
  try {
    await navigator.clipboard.writeText(location.href)
    announce('Copied')
  } catch {
    announce('The browser did not allow copying')
  }
}

/** Keeps the theme as the form of the settings does, and shows it at once. */
async function setTheme(theme: Preferences['theme'], preferences: Preferences): Promise<void> {
  const { columns: _, ...form } = { ...preferences, theme, form: settingsForms.preferences }
  const kept = await fetch(paths.settings(), {
    method: 'POST',
    body: new URLSearchParams(form),
    // The answer to a form that was kept leads on to a page that nobody needs here.
    redirect: 'manual',
  }).catch(() => null)
  if (kept?.type === 'opaqueredirect') document.documentElement.dataset.theme = theme
  else announce('The theme could not be kept')
}
