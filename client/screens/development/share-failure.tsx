import type { FailureDetail } from '../../../shared/screens/development.ts'
import { Button } from '../../components/button.tsx'
import { CopyLoaded } from '../../components/copy-loaded.tsx'
import { Menu } from '../../components/menu.tsx'
import { copyText } from '../../copy-text.ts'

/** Copies the failure as Markdown for a ticket, copies its link, or prints it. */
export function ShareFailure({ failure }: { failure: FailureDetail }) {
  return (
    <div className="needs-script">
      <Menu label="Share" className="failure-menu">
        <CopyLoaded
          load={async () => {
            const [{ failureMarkdown }, { linesOfEvents }] = await Promise.all([
              import('./markdown.ts'),
              import('../../components/log-lines.ts'),
            ])
            return failureMarkdown(failure, location.origin, linesOfEvents)
          }}
        >
          Copy as Markdown
        </CopyLoaded>
        <Button onClick={() => copyText(location.href)}>Copy link</Button>
        <Button onClick={() => print()}>Print</Button>
      </Menu>
    </div>
  )
}
