import type { ServiceSettings } from '../../../shared/screens/settings.ts'
import { logLevels } from '../../logger.ts'
import type { LiveSettings } from '../../settings/live-settings.ts'
import { problemOf } from '../../settings/runtime-settings.ts'
import type { Outcome } from './form-outcome.ts'
import { fieldOf, isReset, saveSetting } from './setting-field.ts'

export function levelForm(settings: LiveSettings): ServiceSettings['level'] {
  return { ...fieldOf(settings, 'logLevel'), levels: [...logLevels] }
}

/** Changes the minimum level of Sixpane's own log. */
export async function changeLevel(form: URLSearchParams, settings: LiveSettings): Promise<Outcome> {
  const level = isReset(form) ? settings.environment.logLevel : (form.get('level')?.trim() ?? '')
  const problem = level === '' ? 'Choose a level' : problemOf('logLevel', level)
  if (problem !== null) return { kind: 'invalid', content: { level: { ...levelForm(settings), problem } } }
  return saveSetting(settings, 'logLevel', level)
}
