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
    title: 'Labels',
    parts: {
      severities: 'Severities',
      badges: 'Badges and states',
      icons: 'Icons',
      times: 'Times',
      texts: 'Log texts',
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
    parts: { notices: 'Notices and empty states', 'what-to-check': 'Not-found hints', code: 'Code' },
  },
  {
    title: 'Numbers',
    parts: { figures: 'Numbers', charts: 'Charts', services: 'Services', 'wide-tables': 'Wide tables' },
  },
  {
    title: 'Events and failures',
    parts: {
      events: 'Events',
      columns: 'Event columns',
      event: 'One event',
      waterfall: 'Waterfall',
      failures: 'Failures',
      stack: 'Stack',
      unmapped: 'Unmapped frames',
      ambiguous: 'Ambiguous frames',
      deliveries: 'Deliveries',
    },
  },
]

/** The component catalogue: each component in all states, with its keyboard behaviour. */
export default function Ui({ content }: { content: Contents['ui'] }) {
  const page = usePage()
  return (
    // A fixed time, so that the page always looks the same.
    <PageContext value={{ ...page, nowMs: content.open.timeMs }}>
      <div className="ui">
        <header className="ui-head">
          <h1>Components</h1>
          <p className="prose muted">
            The components of all screens: each in every state, with its keyboard behaviour and its code.
            Numbers and times are fixed, so this page always looks the same. Small components are shown in
            both themes, the others in the theme of the page.
          </p>
        </header>
        <nav className="ui-contents" aria-label="Components">
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
