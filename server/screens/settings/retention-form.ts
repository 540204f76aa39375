import type { RetentionForm } from '../../../shared/screens/settings.ts'
import type { Context } from '../../context.ts'
import type { Settings } from '../../settings/service-settings.ts'
import { overlaid, problemOf, type SettingName, textsOf } from '../../settings/values.ts'
import type { ScreenRequest } from '../screen.ts'
import { fieldOf, isBackToEnvironment, type Outcome } from './form-outcome.ts'

type Room = Pick<Context, 'settings' | 'store'>

export async function retentionForm({ settings, store }: Room): Promise<RetentionForm> {
  const { events, diskBytes, oldestMs, damagedFiles } = await store.stats()
  return {
    days: fieldOf(settings, 'SIXPANE_RETENTION_DAYS'),
    gigabytes: fieldOf(settings, 'SIXPANE_RETENTION_GB'),
    kept: { events, diskBytes, oldestMs, damagedFiles },
    confirm: null,
  }
}

/** Changes what is kept. One that drops events is asked about first, and says how many: a typo drops none. */
export async function changeRetention(
  form: URLSearchParams,
  { nowMs, signal }: Pick<ScreenRequest, 'nowMs' | 'signal'>,
  room: Room,
): Promise<Outcome> {
  const { settings, store } = room
  const texts = isBackToEnvironment(form) ? textsOf(settings.environment) : null
  const days = texts?.SIXPANE_RETENTION_DAYS ?? form.get('days')?.trim() ?? ''
  const gigabytes = texts?.SIXPANE_RETENTION_GB ?? form.get('gigabytes')?.trim() ?? ''
  const problems = {
    days: numberProblem('SIXPANE_RETENTION_DAYS', days),
    gigabytes: numberProblem('SIXPANE_RETENTION_GB', gigabytes),
  }
  const typed = async (): Promise<RetentionForm> => {
    const shown = await retentionForm(room)
    return {
      ...shown,
      days: { ...shown.days, value: days, problem: problems.days },
      gigabytes: { ...shown.gigabytes, value: gigabytes, problem: problems.gigabytes },
    }
  }
  if (problems.days !== null || problems.gigabytes !== null) {
    return { kind: 'wrong', content: { retention: await typed() } }
  }

  const changes = { SIXPANE_RETENTION_DAYS: days, SIXPANE_RETENTION_GB: gigabytes }
  const { retention } = overlaid(settings.environment, changes)
  if (form.get('confirmed') !== 'yes' && isTighter(retention, settings.current().retention)) {
    const dropped = await store.pastRetention(retention, nowMs, signal)
    if (dropped > 0) {
      const asked = { ...(await typed()), confirm: { dropped, days, gigabytes } }
      return { kind: 'shown', content: { retention: asked }, title: 'Confirm · Settings' }
    }
  }
  await settings.save(changes)
  return { kind: 'done', done: 'retention-changed' }
}

function numberProblem(name: SettingName, text: string): string | null {
  return text === '' ? 'A number is needed' : problemOf(name, text)
}

type Retention = ReturnType<Settings['current']>['retention']

function isTighter(next: Retention, current: Retention): boolean {
  return next.maxAgeMs < current.maxAgeMs || next.maxBytes < current.maxBytes
}
