import type { Contents } from '../../../shared/content.ts'
import { PageContext, usePage } from '../../page.ts'
import { Controls } from './controls.tsx'
import { Data } from './data.tsx'
import { Words } from './words.tsx'

const groups = [
  {
    title: 'Words and marks',
    parts: { severities: 'Severities', badges: 'Badges and states', times: 'Times', digests: 'Digests' },
  },
  {
    title: 'Controls',
    parts: {
      buttons: 'Buttons',
      chips: 'Chips',
      fields: 'Fields',
      search: 'Search',
      range: 'Range',
      notices: 'Notices and emptiness',
      code: 'Code',
    },
  },
  {
    title: 'Data',
    parts: {
      figures: 'Figures',
      charts: 'Charts',
      events: 'Events',
      event: 'One event',
      failures: 'Failures',
      stack: 'Stack',
    },
  },
]

/** Every part in every state, and what the keyboard does with it. */
export default function Ui({ content }: { content: Contents['ui'] }) {
  const page = usePage()
  return (
    // The clock of this screen stands still.
    <PageContext value={{ ...page, nowMs: content.open.timeMs }}>
      <div className="ui">
        <header className="ui-head">
          <h1>The parts</h1>
          <p className="prose muted">
            What the screens are built of, in every state. Figures and times are fixed, so that this page
            looks the same whenever it is drawn. Small parts stand in both themes; the rest in the theme of
            the page.
          </p>
        </header>
        <nav className="ui-contents" aria-label="Parts">
          {groups.map(({ title, parts }) => (
            <div key={title}>
              <p>{title}</p>
              <ul>
                {Object.entries(parts).map(([id, name]) => (
                  <li key={id}>
                    <a href={`#${id}`}>{name}</a>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
        <div className="ui-parts">
          <Words />
          <Controls />
          <Data content={content} />
        </div>
      </div>
    </PageContext>
  )
}
