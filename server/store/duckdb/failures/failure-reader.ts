import type { FailureReader } from '../../common/metrics/failures.ts'
import { eventReader } from '../events/event-reader.ts'
import type { Source } from '../sql/source.ts'
import { describeFailures } from './describe-failures.ts'

export function failureReader(source: Source): FailureReader {
  return {
    ...eventReader(source),
    describe: (index, occurrences) => describeFailures(source, index, occurrences),
  }
}
