import { pluralise } from '../../../shared/format.ts'
import type { RetentionForm } from '../../../shared/screens/settings.ts'
import type { Context } from '../../context.ts'
import {
  formatSettings,
  problemOf,
  type RuntimeKey,
  type RuntimeSettings,
  retentionOf,
  withOverrides,
} from '../../settings/runtime-settings.ts'
import type { ScreenRequest } from '../screen.ts'
import { diskForecast } from './disk-forecast.ts'
import type { Outcome } from './form-outcome.ts'
import { fieldOf, isReset, outdatedProblem, sectionVersion } from './setting-field.ts'

type Services = Pick<Context, 'settings' | 'store'>

export async function retentionForm({ settings, store }: Services, nowMs: number): Promise<RetentionForm> {
  const stats = await store.stats()
  const { events, diskBytes, oldestMs, damagedFiles } = stats
  return {
    days: fieldOf(settings, 'retentionDays'),
    gigabytes: fieldOf(settings, 'retentionGigabytes'),
    stored: { events, diskBytes, oldestMs, damagedFiles },
    forecast: await diskForecast(store, stats, retentionOf(settings.current()), nowMs),
    confirm: null,
    version: sectionVersion(settings, 'retention'),
  }
}

/** Changes the retention limits. If a change deletes events, it requires confirmation, so a typo alone deletes nothing. */
export async function changeRetention(
  form: URLSearchParams,
  { nowMs, signal }: Pick<ScreenRequest, 'nowMs' | 'signal'>,
  services: Services,
): Promise<Outcome> {
  const { settings, store } = services
  const reset = isReset(form) ? formatSettings(settings.environment) : null
  const days = reset?.retentionDays ?? form.get('days')?.trim() ?? ''
  const gigabytes = reset?.retentionGigabytes ?? form.get('gigabytes')?.trim() ?? ''
  const problemIn = (key: RuntimeKey, text: string) =>
    outdatedProblem(form, settings, key, text) ?? numberProblem(key, text)
  const problems = {
    days: problemIn('retentionDays', days),
    gigabytes: problemIn('retentionGigabytes', gigabytes),
  }
  const typedForm = async (): Promise<RetentionForm> => {
    const current = await retentionForm(services, nowMs)
    return {
      ...current,
      days: { ...current.days, value: days, problem: problems.days },
      gigabytes: { ...current.gigabytes, value: gigabytes, problem: problems.gigabytes },
    }
  }
  if (problems.days !== null || problems.gigabytes !== null) {
    return { kind: 'invalid', content: { retention: await typedForm() } }
  }

  const changes = { retentionDays: days, retentionGigabytes: gigabytes }
  const next = withOverrides(settings.environment, changes)
  if (form.get('confirmed') !== 'yes' && isTighter(next, settings.current())) {
    const dropped = await store.countExpired(retentionOf(next), nowMs, signal)
    if (dropped > 0) {
      const retention = { ...(await typedForm()), confirm: { dropped, days, gigabytes } }
      return { kind: 'page', content: { retention }, title: 'Confirm · Settings' }
    }
  }
  await settings.save(changes)
  // No undo is offered, because deleted events cannot be restored.
  const change = {
    action: 'Changed retention',
    details: `${pluralise(Number(days), 'day')}, ${gigabytes} GB`,
  }
  return { kind: 'saved', code: 'retention-changed', change }
}

function numberProblem(key: RuntimeKey, text: string): string | null {
  return text === '' ? 'Enter a number' : problemOf(key, text)
}

function isTighter(next: RuntimeSettings, current: RuntimeSettings): boolean {
  return next.retentionDays < current.retentionDays || next.retentionGigabytes < current.retentionGigabytes
}
