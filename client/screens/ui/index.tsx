import type { Contents } from '../../../shared/page.ts'
import { PageContext, usePage } from '../../page.ts'
import { Controls } from './controls.tsx'
import { Data } from './data.tsx'
import { Events } from './events.tsx'
import { Failures } from './failures.tsx'
import { Forms } from './forms.tsx'
import { Labels } from './labels.tsx'
import { Messages } from './messages.tsx'

const groups = [
  {
    title: 'Words and marks',
    parts: {
      severities: 'Severities',
      badges: 'Badges and states',
      icons: 'Icons',
      times: 'Times',
      texts: 'Texts',
      digests: 'Digests',
    },
  },
  {
    title: 'Controls',
    parts: {
      buttons: 'Buttons',
      chips: 'Chips',
      search: 'Search',
      menus: 'Menus',
      range: 'Range',
      'commands-and-keys': 'Commands and keys',
      fields: 'Fields',
    },
  },
  {
    title: 'Messages',
    parts: { notices: 'Notices and emptiness', 'what-to-check': 'What to check', code: 'Code' },
  },
  {
    title: 'Figures',
    parts: { figures: 'Figures', charts: 'Charts', services: 'Services', 'wide-tables': 'Wide tables' },
  },
  {
    title: 'Events and failures',
    parts: {
      events: 'Events',
      columns: 'Columns of events',
      event: 'One event',
      waterfall: 'Waterfall',
      failures: 'Failures',
      stack: 'Stack',
      unmapped: 'Frames without a source',
      deliveries: 'Deliveries',
    },
  },
]

/** The catalogue of components: each in every state, with its keyboard behaviour. */
export default function Ui({ content }: { content: Contents['ui'] }) {
  const page = usePage()
  return (
    // A fixed clock, so that the page always looks the same.
    <PageContext value={{ ...page, nowMs: content.open.timeMs }}>
      <div className="ui">
        <header className="ui-head">
          <h1>The parts</h1>
          <p className="prose muted">
            What the screens are built of: every part in every state, what the keyboard does with it, and how
            it is written. Figures and times are fixed, so that this page looks the same whenever it is drawn.
            Small parts stand in both themes; the rest in the theme of the page.
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
          <Labels />
          <Controls />
          <Forms />
          <Messages />
          <Data content={content} />
          <Events content={content} />
          <Failures content={content} />
        </div>
      </div>
    </PageContext>
  )
}
