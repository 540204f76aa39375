import type { FailureDetail } from '../../../shared/screens/development.ts'
import { Button } from '../../components/button.tsx'
import { Menu } from '../../components/menu.tsx'
import { copyText } from '../../copy-text.ts'
import { failureMarkdown } from './markdown.ts'

/** Copies the failure as Markdown for a ticket, copies its link, or prints it. */
export function ShareFailure({ failure }: { failure: FailureDetail }) {
  return (
    <div className="needs-script">
      <Menu label="Share" className="failure-menu">
        <Button onClick={() => copyText(failureMarkdown(failure, location.origin))}>Copy as Markdown</Button>
        <Button onClick={() => copyText(location.href)}>Copy link</Button>
        <Button onClick={() => print()}>Print</Button>
      </Menu>
    </div>
  )
}
