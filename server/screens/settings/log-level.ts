import type { SettingsContent } from '../../../shared/screens/settings.ts'
import { logLevels } from '../../config.ts'
import type { Settings } from '../../settings/service-settings.ts'
import { problemOf } from '../../settings/values.ts'
import { fieldOf, isBackToEnvironment, type Outcome } from './form-outcome.ts'

export function levelForm(settings: Settings): SettingsContent['level'] {
  return { ...fieldOf(settings, 'LOG_LEVEL'), levels: [...logLevels] }
}

/** Changes the level of Sixpane's own log. */
export async function changeLevel(form: URLSearchParams, settings: Settings): Promise<Outcome> {
  const level = isBackToEnvironment(form) ? settings.environment.logLevel : (form.get('level')?.trim() ?? '')
  const problem = level === '' ? 'Choose one of these' : problemOf('LOG_LEVEL', level)
  if (problem !== null) return { kind: 'wrong', content: { level: { ...levelForm(settings), problem } } }
  await settings.save({ LOG_LEVEL: level })
  return { kind: 'done', done: 'level-changed' }
}
