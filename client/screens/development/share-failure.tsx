import type { FailureDetail } from '../../../shared/screens/development.ts'
import { announce } from '../../announce.ts'
import { Button } from '../../components/button.tsx'
import { failureMarkdown } from './markdown.ts'

/** The failure for a ticket: as Markdown, or on paper. Without a script the browser's own printing does the second. */
export function ShareFailure({ failure }: { failure: FailureDetail }) {
  async function copy() {
    try {
      await navigator.clipboard.writeText(failureMarkdown(failure, location.origin))
      announce('Copied')
    } catch {
      announce('The browser did not allow copying')
    }
  }
  return (
    <div className="failure-take needs-script">
      <Button onClick={copy}>Copy as Markdown</Button>
      <Button onClick={() => print()}>Print</Button>
    </div>
  )
}
