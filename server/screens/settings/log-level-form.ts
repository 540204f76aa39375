import type { ServiceSettings } from '../../../shared/screens/settings.ts'
import { logLevels } from '../../logger.ts'
import type { LiveSettings } from '../../settings/live-settings.ts'
import { problemOf } from '../../settings/runtime-settings.ts'
import type { Outcome } from './form-outcome.ts'
import { fieldOf, isReset, outdatedProblem, saveSetting, sectionVersion } from './setting-field.ts'

export function levelForm(settings: LiveSettings): ServiceSettings['level'] {
  return {
    ...fieldOf(settings, 'logLevel'),
    levels: [...logLevels],
    version: sectionVersion(settings, 'log-level'),
  }
}

/** Changes the minimum level of Sixpane's own log. */
export async function changeLevel(form: URLSearchParams, settings: LiveSettings): Promise<Outcome> {
  const level = isReset(form) ? settings.environment.logLevel : (form.get('level')?.trim() ?? '')
  const invalid = level === '' ? 'Choose a level' : problemOf('logLevel', level)
  const problem = invalid ?? outdatedProblem(form, settings, 'logLevel', level)
  if (problem !== null) {
    const value = invalid === null ? level : levelForm(settings).value
    return { kind: 'invalid', content: { level: { ...levelForm(settings), value, problem } } }
  }
  return saveSetting(settings, 'logLevel', level)
}
