import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react'
import type { QueryProblem } from '../../shared/query.ts'
import { Icon } from './icon.tsx'

/** A search as a plain GET form. A search that could not be read shows where and why, and keeps what was typed. */
export function SearchBox(props: {
  action: string
  name: string
  defaultValue?: string | undefined
  label: string
  placeholder?: string | undefined
  /** Other parts of the view, sent along. */
  hidden?: Record<string, string> | undefined
  problem?: QueryProblem | null | undefined
  /** The field's id, where something outside refers to it. */
  inputId?: string | undefined
  /** Draws what may be typed next, under the field. */
  completions?: ((field: RefObject<HTMLInputElement | null>) => ReactNode) | undefined
}) {
  const ownId = useId()
  const id = props.inputId ?? ownId
  const problem = props.problem ?? null
  const field = useRef<HTMLInputElement>(null)
  const shown = useRef(props.defaultValue)

  // A browser keeps what was typed into a field, whatever its default becomes; another search replaces it. The
  // field stays, and with it the focus.
  useEffect(() => {
    if (shown.current === props.defaultValue || field.current === null) return
    shown.current = props.defaultValue
    field.current.value = props.defaultValue ?? ''
  }, [props.defaultValue])

  return (
    <search className="search">
      <form action={props.action} method="get">
        <label className="visually-hidden" htmlFor={id}>
          {props.label}
        </label>
        <div className="search-field">
          <Icon name="search" />
          <input
            ref={field}
            id={id}
            type="search"
            name={props.name}
            defaultValue={props.defaultValue}
            placeholder={props.placeholder}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            dir="auto"
            aria-invalid={problem === null ? undefined : true}
            aria-describedby={problem === null ? undefined : `${id}-problem`}
          />
          {props.completions?.(field)}
        </div>
        <Hidden values={props.hidden ?? {}} />
        <button type="submit" className="visually-hidden-focusable button">
          Search
        </button>
      </form>
      {problem !== null && (
        <div className="search-problem" id={`${id}-problem`}>
          <Place text={props.defaultValue ?? ''} problem={problem} />
        </div>
      )}
    </search>
  )
}

export function Hidden({ values }: { values: Record<string, string> }) {
  return Object.entries(values).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ))
}

function Place({ text, problem }: { text: string; problem: QueryProblem }) {
  const wrong = text.slice(problem.from, problem.to)
  return (
    <>
      <p>
        <Icon name="error" />
        {problem.message}
      </p>
      <code dir="auto">
        {text.slice(0, problem.from)}
        <mark>{wrong === '' ? '\u2423' : wrong}</mark>
        {text.slice(problem.to)}
      </code>
    </>
  )
}
