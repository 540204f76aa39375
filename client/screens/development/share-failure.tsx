import type { FailureDetail } from '../../../shared/screens/development.ts'
import { announce } from '../../announce.ts'
import { Button } from '../../components/button.tsx'
import { failureMarkdown } from './markdown.ts'

/** Copies the failure as Markdown for a ticket, or prints it. */
export function ShareFailure({ failure }: { failure: FailureDetail }) {
  async function copy() {
    try {
      await navigator.clipboard.writeText(failureMarkdown(failure, location.origin))
      announce('Copied')
    } catch {
      announce('Copying was blocked by the browser')
    }
  }
  return (
    <div className="failure-share needs-script">
      <Button onClick={copy}>Copy as Markdown</Button>
      <Button onClick={() => print()}>Print</Button>
    </div>
  )
}
