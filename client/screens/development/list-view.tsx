import type { DevelopmentFailures } from '../../../shared/screens/development.ts'
import { Failures } from './failures.tsx'
import { LookupFailed } from './lookup-failed.tsx'

/** The list of failures. If a requested failure or digest was not found, possible reasons are shown above the list. */
export function ListView({ content }: { content: DevelopmentFailures }) {
  return (
    <>
      {content.missing !== null && <LookupFailed missing={content.missing} />}
      <Failures content={content} />
    </>
  )
}
