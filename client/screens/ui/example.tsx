import type { ReactNode } from 'react'
import { CodeBlock } from '../../components/code-block.tsx'
import { Section } from '../../components/section.tsx'

/** A catalogue entry: a component with its states, keyboard behaviour and code. */
export function Example(props: {
  id: string
  title: string
  note: ReactNode
  /** Keys and their effects; empty if the component is not interactive. */
  keys: readonly (readonly [keys: string, effect: string])[]
  code: string
  children: ReactNode
}) {
  const { id, title, note, keys, code, children } = props
  return (
    <Section title={title} id={id}>
      <p className="ui-note prose muted">{note}</p>
      {children}
      <div className="ui-use">
        {keys.length === 0 ? (
          <p className="muted">Not interactive.</p>
        ) : (
          <table className="ui-keys">
            <caption className="visually-hidden">Keyboard behaviour: {title.toLowerCase()}</caption>
            <tbody>
              {keys.map(([key, effect]) => (
                <tr key={key}>
                  <th scope="row">
                    <kbd>{key}</kbd>
                  </th>
                  <td>{effect}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        <details>
          <summary>Code</summary>
          <CodeBlock label={title} language="tsx" code={code} />
        </details>
      </div>
    </Section>
  )
}

/** Renders the children in both the light and the dark theme. */
export function BothThemes({ children }: { children: (theme: 'light' | 'dark') => ReactNode }) {
  return (
    <div className="ui-themes">
      <div data-theme="light">{children('light')}</div>
      <div data-theme="dark">{children('dark')}</div>
    </div>
  )
}
