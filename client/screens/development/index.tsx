import type { ReactNode } from 'react'
import type { Contents } from '../../../shared/page.ts'
import { paths } from '../../../shared/paths.ts'
import { developmentParts } from '../../../shared/screens/development.ts'

const partNames = { connect: 'Connect a service', build: 'Build', drill: 'Drill' } as const

/** The heading and the navigation around each page of the screen. The page of one failure shows neither. */
export default function Development({
  content: { view },
  children,
}: {
  content: Contents['development']
  children: ReactNode
}) {
  return (
    <div className="development">
      <h1 className={view === 'failure' ? 'visually-hidden' : undefined}>Development</h1>
      {view !== 'failure' && (
        <nav className="development-parts" aria-label="Development">
          <ul>
            <PartLink href={paths.development()} name="Failures" isShown={view === 'failures'} />
            {developmentParts.map(part => (
              <PartLink
                key={part}
                href={paths.development({ view: part })}
                name={partNames[part]}
                isShown={part === view}
              />
            ))}
          </ul>
        </nav>
      )}
      {children}
    </div>
  )
}

function PartLink({ href, name, isShown }: { href: string; name: string; isShown: boolean }) {
  return (
    <li>
      <a href={href} aria-current={isShown ? 'page' : undefined}>
        {name}
      </a>
    </li>
  )
}
