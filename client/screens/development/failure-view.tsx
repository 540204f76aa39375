import type { DevelopmentFailures, FailureDetail } from '../../../shared/screens/development.ts'
import { Failure } from './failure.tsx'
import { Failures, listViewOf } from './failures.tsx'

/** One failure, above the list. */
export function FailureView({
  content,
  selected,
}: {
  content: DevelopmentFailures
  selected: FailureDetail
}) {
  const { range, window } = content
  return (
    <>
      <Failure failure={selected} range={range} window={window} list={listViewOf(content)} />
      <Failures content={content} />
    </>
  )
}
