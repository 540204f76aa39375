import { screenIds, screens } from '../../shared/screens.ts'

export const keysDialogId = 'keys'

/** What the keyboard does; `?` opens it. */
export function KeysDialog() {
  return (
    <dialog id={keysDialogId} className="keys" aria-labelledby="keys-title">
      <form method="dialog">
        <h2 id="keys-title">Keys</h2>
        <dl>
          <div>
            <dt>
              <kbd>/</kbd>
            </dt>
            <dd>Search</dd>
          </div>
          {screenIds.map(id => (
            <div key={id}>
              <dt>
                <kbd>g</kbd> <kbd>{screenKeys[id]}</kbd>
              </dt>
              <dd>Go to {screens[id].title}</dd>
            </div>
          ))}
          <div>
            <dt>
              <kbd>?</kbd>
            </dt>
            <dd>Show the keys</dd>
          </div>
          <div>
            <dt>
              <kbd>Esc</kbd>
            </dt>
            <dd>Close what is open</dd>
          </div>
        </dl>
        <button type="submit" className="button" data-kind="plain">
          Close
        </button>
      </form>
    </dialog>
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
