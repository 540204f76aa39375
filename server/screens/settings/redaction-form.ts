import type { RedactionForm } from '../../../shared/screens/settings.ts'
import { isRedactPath, mostRedactPaths } from '../../config.ts'
import { createClean } from '../../events/clean.ts'
import type { Settings } from '../../settings/service-settings.ts'
import { fieldOf, isBackToEnvironment, type Outcome } from './form-outcome.ts'

export function redactionForm(settings: Settings): RedactionForm {
  const field = fieldOf(settings, 'SIXPANE_REDACT')
  return {
    ...field,
    value: lines(field.value),
    environment: lines(field.environment),
    sample: '',
    sampleProblem: null,
    tried: null,
  }
}

/** Changes the paths that are redacted, or tries typed ones on a sample and changes nothing. */
export async function changeRedaction(form: URLSearchParams, settings: Settings): Promise<Outcome> {
  if (isBackToEnvironment(form)) return save(settings.environment.redactPaths, settings)
  const value = form.get('paths') ?? ''
  const sample = form.get('sample') ?? ''
  const shown = { ...redactionForm(settings), value, sample }
  const paths = pathsIn(value)
  const problem = problemOf(paths)
  const wrong = (differing: Partial<RedactionForm>): Outcome => ({
    kind: 'wrong',
    content: { redaction: { ...shown, ...differing } },
  })
  if (problem !== null) return wrong({ problem })
  if (form.get('to') !== 'try') return save(paths, settings)

  const record = readRecord(sample)
  if (record === null) {
    return wrong({ sampleProblem: 'This is no JSON object: one log line, from { to }, is needed' })
  }
  const tried = JSON.stringify(createClean(paths)(record), null, 2)
  return { kind: 'shown', content: { redaction: { ...shown, tried } }, title: 'Tried · Settings' }
}

async function save(paths: readonly string[], settings: Settings): Promise<Outcome> {
  await settings.save({ SIXPANE_REDACT: paths.join(',') })
  return { kind: 'done', done: 'redaction-changed' }
}

/** One a line; commas separate too, as they do in the variable. */
function pathsIn(text: string): string[] {
  const paths = text.split(/[\n,]/).map(path => path.trim())
  return [...new Set(paths.filter(path => path !== ''))]
}

function problemOf(paths: readonly string[]): string | null {
  if (paths.length > mostRedactPaths) return `At most ${mostRedactPaths} paths`
  const wrong = paths.find(path => !isRedactPath(path))
  if (wrong === undefined) return null
  const shown = wrong.length > 40 ? `${wrong.slice(0, 40).toWellFormed()}…` : wrong
  return `“${shown}” is no path: write names joined by dots, such as user.email, without brackets, quotes or *`
}

function readRecord(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

function lines(paths: string): string {
  return paths.replaceAll(',', '\n')
}
