import type { FailureDetail } from '../../../shared/screens/development.ts'
import { Button } from '../../components/button.tsx'
import { copyText } from '../../copy-text.ts'
import { failureMarkdown } from './markdown.ts'

/** Copies the failure as Markdown for a ticket, or prints it. */
export function ShareFailure({ failure }: { failure: FailureDetail }) {
  return (
    <div className="failure-share needs-script">
      <Button onClick={() => copyText(failureMarkdown(failure, location.origin))}>Copy as Markdown</Button>
      <Button onClick={() => print()}>Print</Button>
    </div>
  )
}
