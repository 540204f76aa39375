import type { Contents } from '../../../shared/page.ts'
import { developmentParts, paths } from '../../../shared/paths.ts'
import { Build } from './build.tsx'
import { Connect } from './connect.tsx'
import { Drill } from './drill.tsx'
import { Failure } from './failure.tsx'
import { Failures, listViewOf } from './failures.tsx'
import { LookupFailed } from './lookup-failed.tsx'

const partNames = { connect: 'Connect a service', build: 'Build', drill: 'Drill' } as const

/** The failures, and the Connect, Build and Drill pages. */
export default function Development({ content }: { content: Contents['development'] }) {
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
      <Part content={content} />
    </div>
  )
}

function Part({ content }: { content: Contents['development'] }) {
  switch (content.view) {
    case 'connect':
      return <Connect snippets={content.connect} />
    case 'build':
      return <Build build={content.build} />
    case 'drill':
      return <Drill drill={content.drill} />
    case 'failures': {
      const { selected, missing, range, window } = content
      return (
        <>
          {missing !== null && <LookupFailed missing={missing} />}
          {selected !== null && (
            <Failure failure={selected} range={range} window={window} list={listViewOf(content)} />
          )}
          <Failures content={content} />
        </>
      )
    }
  }
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
