import type { Contents } from '../../../shared/page.ts'
import { Build } from './build.tsx'
import { Connect } from './connect.tsx'
import { Drill } from './drill.tsx'
import { Failure } from './failure.tsx'
import { Failures } from './failures.tsx'
import { LookupFailed } from './lookup-failed.tsx'

/** The failures, and sections for developers. If a failure is selected, these sections are collapsed. */
export default function Development({ content }: { content: Contents['development'] }) {
  const { selected, missing } = content
  const rest = (
    <>
      <Connect snippets={content.connect} />
      <Build build={content.build} />
      <Drill drill={content.drill} />
    </>
  )
  return (
    <div className="development">
      <h1 className={selected === null ? undefined : 'visually-hidden'}>Development</h1>
      <nav className="development-parts" aria-label="On this page">
        <ul>
          {selected !== null && <PartLink id="failure" name="This failure" />}
          <PartLink id="failures" name={selected === null ? 'Failures' : 'All failures'} />
          <PartLink id="connect" name="Connect a service" />
          <PartLink id="build" name="Build" />
          <PartLink id="drill" name="Drill" />
        </ul>
      </nav>
      {missing !== null && <LookupFailed missing={missing} />}
      {selected !== null && <Failure failure={selected} range={content.range} window={content.window} />}
      <Failures content={content} />
      {selected === null ? (
        rest
      ) : (
        <details className="development-rest">
          <summary>Connect a service, build, drill</summary>
          {rest}
        </details>
      )}
    </div>
  )
}

function PartLink({ id, name }: { id: string; name: string }) {
  return (
    <li>
      <a href={`#${id}`}>{name}</a>
    </li>
  )
}
