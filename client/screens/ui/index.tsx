import type { ReactNode } from 'react'
import type { Contents } from '../../../shared/page.ts'
import { paths } from '../../../shared/paths.ts'
import { type UiGroup, uiGroups } from '../../../shared/screens/ui.ts'
import { PageContext, usePage } from '../../page.ts'
import { groups } from './groups.ts'

/** The component catalogue, one page per group: each component in all states, with its keyboard behaviour. */
export default function Ui({ content, children }: { content: Contents['ui']; children: ReactNode }) {
  const page = usePage()
  return (
    // The time is fixed, so the page always looks the same.
    <PageContext value={{ ...page, nowMs: content.instantMs }}>
      <div className="ui">
        <header className="ui-head">
          <h1>Components</h1>
          <p className="prose muted">
            The components of all screens in every state, with their keyboard behaviour and code. Numbers and
            times are fixed, so these pages always look the same. Small components are shown in both themes;
            the others use the theme of the page.
          </p>
        </header>
        <nav className="ui-contents" aria-label="Components">
          {uiGroups.map(group => (
            <GroupLinks key={group} group={group} isShown={group === content.group} />
          ))}
        </nav>
        <div className="ui-parts">{children}</div>
      </div>
    </PageContext>
  )
}

function GroupLinks({ group, isShown }: { group: UiGroup; isShown: boolean }) {
  const { title, parts } = groups[group]
  const href = paths.ui({ group: group === uiGroups[0] ? undefined : group })
  return (
    <div>
      <p>
        <a href={href} aria-current={isShown ? 'page' : undefined}>
          {title}
        </a>
      </p>
      <ul>
        {Object.entries(parts).map(([id, name]) => (
          <li key={id}>
            <a href={isShown ? `#${id}` : `${href}#${id}`}>{name}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}
