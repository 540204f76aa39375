import type { ReactNode } from 'react'
import type { Contents } from '../../../shared/page.ts'
import { developmentParts, paths } from '../../../shared/paths.ts'

const partNames = { connect: 'Connect a service', build: 'Build', drill: 'Drill' } as const

/** The frame of the failures, and of the Connect, Build and Drill pages. */
export default function Development({
  content,
  children,
}: {
  content: Contents['development']
  children: ReactNode
}) {
  const { view } = content
  const selected = view === 'failures' ? content.selected : null
  return (
    <div className="development">
      <h1 className={selected === null ? undefined : 'visually-hidden'}>Development</h1>
      <nav className="development-parts" aria-label="Development">
        <ul>
          {selected !== null && <PartLink href="#failure" name="This failure" isShown={false} />}
          <PartLink
            href={selected === null ? paths.development() : '#failures'}
            name={selected === null ? 'Failures' : 'All failures'}
            isShown={view === 'failures' && selected === null}
          />
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
