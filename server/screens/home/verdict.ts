import { ownService } from '../../../shared/event.ts'
import { formatCount } from '../../../shared/format.ts'
import { type Span, spanWords } from '../../../shared/range.ts'
import type { ServiceRow, Verdict } from '../../../shared/screens/home.ts'

/** What the store counts as a failure here, and as an answer of status 5xx. */
const openFailures = 'failure:open'
const serverErrorAnswers = 'status:>=500 duration:*'

/** What the verdict is made of. */
export type Findings = {
  services: Pick<ServiceRow, 'service' | 'state'>[]
  /** Occurrences of failures in the window, and in the one of the same length before it. */
  failures: number
  failuresBefore: number
  /** How many failures occurred that somebody has muted or resolved. */
  failuresAside: number
  /** Answers of status 5xx in the window. */
  serverErrors: number
  onlyOwn: boolean
  span: Span
}

/**
 * Says in one sentence whether anything is wrong: "2 of 5 services are failing: 14 failures in the last 15
 * minutes, up from 1".
 */
export function verdictOf(findings: Findings): Verdict {
  const { services, failures, failuresBefore, failuresAside, serverErrors } = findings
  const during = `in the ${spanWords[findings.span]}`
  const inState = (state: ServiceRow['state']) => services.filter(service => service.state === state)
  const say = (state: Verdict['state'], subject: string, reason: string, search: string | null): Verdict => ({
    state,
    sentence: `${subject}: ${reason}`,
    search,
  })

  if (services.length === 0) {
    return { state: 'empty', sentence: 'Nothing is known yet: no service has sent an event', search: null }
  }
  const failing = inState('failing')
  if (failing.length > 0) {
    const reason = `${counted(failures, 'failure')} ${during}, ${trend(failures, failuresBefore)}`
    return say('failing', `${subjectOf(failing, findings)} failing`, reason, openFailures)
  }
  // What was muted or resolved goes on all the same.
  const none = failuresAside > 0 ? 'no open failures' : 'no failures'
  const fewer = failuresBefore > 0 ? `, down from ${formatCount(failuresBefore)}` : ''
  const degraded = inState('degraded')
  if (degraded.length > 0) {
    const reason = `${counted(serverErrors, 'answer')} of status 5xx ${during}, ${none}${fewer}`
    return say('degraded', `${subjectOf(degraded, findings)} degraded`, reason, serverErrorAnswers)
  }
  const silent = inState('silent')
  if (silent.length === services.length) {
    return say('empty', `${subjectOf(silent, findings)} silent`, `no events ${during}`, null)
  }
  const silence = silent.length > 0 ? `, ${formatCount(silent.length)} silent` : ''
  return say('ok', `${subjectOf(inState('ok'), findings)} fine${silence}`, `${none} ${during}${fewer}`, null)
}

/** Who, with the verb: `shop is`, `All 5 services are`, `1 of 5 services is`. */
function subjectOf(some: Findings['services'], { services, onlyOwn }: Findings): string {
  const [first] = some
  if (onlyOwn && services.length === 1) return 'Only Sixpane itself writes here, and it is'
  if (services.length === 1 && first !== undefined) return `${first.service} is`
  if (some.length === 1 && first?.service === ownService) return 'Only Sixpane itself is'
  if (some.length === services.length) {
    return some.length === 2 ? 'Both services are' : `All ${formatCount(some.length)} services are`
  }
  const verb = some.length === 1 ? 'is' : 'are'
  return `${formatCount(some.length)} of ${formatCount(services.length)} services ${verb}`
}

function trend(now: number, before: number): string {
  if (now === before) return 'as many as before'
  return `${now > before ? 'up' : 'down'} from ${before === 0 ? 'none' : formatCount(before)}`
}

function counted(count: number, word: string): string {
  return `${formatCount(count)} ${word}${count === 1 ? '' : 's'}`
}
