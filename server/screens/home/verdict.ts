import { ownService } from '../../../shared/event.ts'
import { formatCount, pluralise } from '../../../shared/format.ts'
import { withOwnEvents } from '../../../shared/query.ts'
import { type Span, spanWords } from '../../../shared/range.ts'
import type { ServiceRow, Verdict } from '../../../shared/screens/home.ts'

/** Search queries for the open failures and 5xx responses that the verdict counts. */
const openFailures = 'failure:open'
const serverErrorResponses = 'status:>=500 duration:*'

/** The numbers that the verdict summarises. */
export type VerdictInput = {
  services: Pick<ServiceRow, 'service' | 'state'>[]
  /**
   * Open failures and their occurrences, in the window and in the previous window of the same length. `null` if the store
   * does not contain the whole previous window.
   */
  failures: number
  failuresBefore: number | null
  occurrences: number
  occurrencesBefore: number | null
  /** The number of muted and resolved failures that occurred in the window. */
  handledFailures: number
  /** 5xx responses in the window. */
  serverErrors: number
  onlyOwn: boolean
  span: Span
}

/**
 * Returns one sentence that summarises whether anything is wrong, such as "2 of 5 services are failing, 1 degraded:
 * 3 failures occurred 14 times in the last 15 minutes, up from 1".
 */
export function verdictOf(input: VerdictInput): Verdict {
  const {
    services,
    failures,
    failuresBefore,
    occurrences,
    occurrencesBefore,
    handledFailures,
    serverErrors,
  } = input
  const during = `in the ${spanWords(input.span)}`
  const inState = (state: ServiceRow['state']) => services.filter(service => service.state === state)
  const verdict = (
    state: Verdict['state'],
    subject: string,
    reason: string,
    search: string | null,
  ): Verdict => ({
    state,
    sentence: `${subject}: ${reason}`,
    search,
  })

  if (services.length === 0) {
    const sentence = input.onlyOwn
      ? 'Waiting for your first service.'
      : 'No events of the services that you may see.'
    return { state: 'empty', sentence, search: null }
  }
  // Muted and resolved failures may still occur.
  const none = handledFailures > 0 ? 'no open failures' : 'no failures'
  const fewer =
    failuresBefore !== null && failuresBefore > 0 ? `, down from ${formatCount(failuresBefore)}` : ''
  const failing = inState('failing')
  const degraded = inState('degraded')
  // The log hides Sixpane's own events, unless the search has a term that includes them.
  const ownListed = services.some(({ service }) => service === ownService)
  const [reason, search] =
    occurrences > 0
      ? [
          `${pluralise(failures, 'failure')} occurred ${times(occurrences)} ${during}${trend(occurrences, occurrencesBefore)}`,
          openFailures,
        ]
      : [
          `${pluralise(serverErrors, '5xx response')} ${during}, ${none}${fewer}`,
          ownListed ? withOwnEvents(serverErrorResponses) : serverErrorResponses,
        ]
  if (failing.length > 0) {
    const also = degraded.length > 0 ? `, ${formatCount(degraded.length)} degraded` : ''
    return verdict('failing', `${subjectOf(failing, input)} failing${also}`, reason, search)
  }
  if (degraded.length > 0) {
    return verdict('degraded', `${subjectOf(degraded, input)} degraded`, reason, search)
  }
  const silent = inState('silent')
  if (silent.length === services.length) {
    return verdict('empty', `${subjectOf(silent, input)} silent`, `no events ${during}`, null)
  }
  if (input.onlyOwn) {
    return { state: 'empty', sentence: 'Waiting for your first service. Sixpane is running.', search: null }
  }
  const silence = silent.length > 0 ? `, ${formatCount(silent.length)} silent` : ''
  return verdict(
    'ok',
    `${subjectOf(inState('ok'), input)} healthy${silence}`,
    `${none} ${during}${fewer}`,
    null,
  )
}

/** Returns the subject and its verb: `shop is`, `All 5 services are`, `1 of 5 services is`. */
function subjectOf(some: VerdictInput['services'], { services, onlyOwn }: VerdictInput): string {
  const [first] = some
  if (onlyOwn && services.length === 1) return 'Sixpane itself is'
  if (services.length === 1 && first !== undefined) return `${first.service} is`
  if (some.length === 1 && first?.service === ownService) return 'Only Sixpane itself is'
  if (some.length === services.length) {
    return some.length === 2 ? 'Both services are' : `All ${formatCount(some.length)} services are`
  }
  const verb = some.length === 1 ? 'is' : 'are'
  return `${formatCount(some.length)} of ${formatCount(services.length)} services ${verb}`
}

function times(count: number): string {
  return count === 1 ? 'once' : `${formatCount(count)} times`
}

function trend(now: number, before: number | null): string {
  if (before === null) return ''
  if (now === before) return ', unchanged'
  return `, ${now > before ? 'up' : 'down'} from ${formatCount(before)}`
}
