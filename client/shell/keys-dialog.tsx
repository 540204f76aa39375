import { Fragment, type ReactNode } from 'react'
import { screenIds, screens } from '../../shared/screens.ts'
import { keysDialogId } from './element-ids.ts'

/** The list of keyboard shortcuts, opened by `?`. */
export function KeysDialog() {
  return (
    <dialog id={keysDialogId} className="keys" aria-labelledby="keys-title">
      <form method="dialog">
        {/* The button comes first, because focusing it after the list would scroll a small window past the title. */}
        <div className="keys-head">
          <h2 id="keys-title">Keyboard shortcuts</h2>
          <button type="submit" className="button" data-kind="plain">
            Close
          </button>
        </div>
        <dl>
          <Key keys={['/']}>Search</Key>
          {screenIds.map(id => (
            <Key key={id} keys={['g', screenKeys[id]]}>
              Go to {screens[id].title}
            </Key>
          ))}
          <Key keys={['Ctrl', 'K']}>Command palette (⌘ K on Mac)</Key>
          <Key keys={['?']}>Keyboard shortcuts</Key>
          <Key keys={['Esc']}>Close</Key>
        </dl>
        <h2>In lists of events and failures</h2>
        <dl>
          <Key keys={['j', 'k']}>Move to the next or previous row</Key>
          <Key keys={['Enter']}>Open the row, or move to the open event’s details</Key>
          <Key keys={['x']}>Select the failure</Key>
          <Key keys={['r']}>Resolve the failure, or the selected ones</Key>
          <Key keys={['m']}>Mute the failure, or the selected ones</Key>
        </dl>
        <h2>In the log</h2>
        <dl>
          <Key keys={['l']}>Toggle live updates, or jump to the latest</Key>
          <Key keys={['Shift', '→']}>In the histogram: extend the selection; Enter zooms</Key>
        </dl>
      </form>
    </dialog>
  )
}

/** Opens the dialog if the shell has rendered it. */
export function openKeysDialog(): void {
  const dialog = document.getElementById(keysDialogId)
  if (dialog instanceof HTMLDialogElement) dialog.showModal()
}

function Key({ keys, children }: { keys: string[]; children: ReactNode }) {
  return (
    <div>
      <dt>
        {keys.map(key => (
          <Fragment key={key}>
            <kbd>{key}</kbd>{' '}
          </Fragment>
        ))}
      </dt>
      <dd>{children}</dd>
    </div>
  )
}

export const screenKeys = {
  home: 'h',
  activities: 'a',
  dashboard: 'd',
  development: 'v',
  settings: 's',
  ui: 'u',
} as const
