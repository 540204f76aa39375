import type { RedactionForm } from '../../../shared/screens/settings.ts'
import { createClean } from '../../events/clean.ts'
import type { LiveSettings } from '../../settings/live-settings.ts'
import { isRedactPath, maxRedactPaths } from '../../settings/redact-paths.ts'
import type { Outcome } from './form-outcome.ts'
import { fieldOf, isReset, outdatedProblem, saveSetting, sectionVersion } from './setting-field.ts'

export function redactionForm(settings: LiveSettings): RedactionForm {
  const field = fieldOf(settings, 'redactPaths')
  return {
    ...field,
    value: lines(field.value),
    environment: lines(field.environment),
    sample: '',
    sampleProblem: null,
    preview: null,
    version: sectionVersion(settings, 'redaction'),
  }
}

/** Saves the redacted paths, or previews typed paths on a sample without saving them. */
export async function changeRedaction(form: URLSearchParams, settings: LiveSettings): Promise<Outcome> {
  const value = form.get('paths') ?? ''
  const sample = form.get('sample') ?? ''
  const typed = { ...redactionForm(settings), value, sample }
  const paths = isReset(form) ? settings.environment.redactPaths : parsePaths(value)
  const text = paths.join(',')
  const problem = outdatedProblem(form, settings, 'redactPaths', text) ?? problemOf(paths)
  const invalid = (problems: Pick<Partial<RedactionForm>, 'problem' | 'sampleProblem'>): Outcome => ({
    kind: 'invalid',
    content: { redaction: { ...typed, ...problems } },
  })
  if (problem !== null) return invalid({ problem })
  if (form.get('to') !== 'try') return saveSetting(settings, 'redactPaths', text)

  const record = parseRecord(sample)
  if (record === null) return invalid({ sampleProblem: 'Enter one log line as a JSON object' })
  const preview = JSON.stringify(createClean(paths)(record), null, 2)
  return { kind: 'page', content: { redaction: { ...typed, preview } }, title: 'Preview · Settings' }
}

/** Splits paths at line breaks, and at commas as in the environment variable. */
function parsePaths(text: string): string[] {
  const paths = text.split(/[\n,]/).map(path => path.trim())
  return [...new Set(paths.filter(path => path !== ''))]
}

function problemOf(paths: readonly string[]): string | null {
  if (paths.length > maxRedactPaths) return `Enter at most ${maxRedactPaths} paths`
  const invalid = paths.find(path => !isRedactPath(path))
  if (invalid === undefined) return null
  const quoted = invalid.length > 40 ? `${invalid.slice(0, 40).toWellFormed()}…` : invalid
  return `“${quoted}” is not a path. Enter names joined by dots, such as user.email, without brackets, quotes or *`
}

function parseRecord(text: string): object | null {
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
