import { paths } from '../../../shared/paths.ts'
import { withTerm } from '../../../shared/query.ts'
import { spanning } from '../../../shared/range.ts'

/** Time before and after an occurrence in which to search for its whole request or trace. */
const aroundMs = 15 * 60_000

/** Links to all events in an occurrence's request or trace. */
export function IdLink({ field, id, timeMs }: { field: 'request' | 'trace'; id: string; timeMs: number }) {
  const range = spanning(timeMs - aroundMs, timeMs + aroundMs)
  return (
    <a className="mono failure-id" href={paths.activities({ q: withTerm('', field, id), range })} title={id}>
      {id}
    </a>
  )
}
