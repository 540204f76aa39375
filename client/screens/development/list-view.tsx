import type { DevelopmentFailures } from '../../../shared/screens/development.ts'
import { Failures } from './failures.tsx'
import { LookupFailed } from './lookup-failed.tsx'

/** The list of failures, below the reasons why the requested failure was not found. */
export function ListView({ content }: { content: DevelopmentFailures }) {
  return (
    <>
      {content.missing !== null && <LookupFailed missing={content.missing} />}
      <Failures content={content} />
    </>
  )
}
