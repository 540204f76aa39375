import { type ReactNode, type RefObject, useId } from 'react'
import type { QueryProblem } from '../../shared/query.ts'
import { Icon } from './icon.tsx'
import { lengthProblem } from './search-length.ts'
import { useFieldValue } from './use-field-value.ts'

/** Prevents the browser from sending a search that does not fit into a URL, so that the text is not lost. */
function checkLength(field: HTMLInputElement): void {
  field.setCustomValidity(lengthProblem(field.value))
}

/** A search field in a GET form. An invalid search stays in the field, and a message marks the error. */
export function SearchBox(props: {
  action: string
  name: string
  defaultValue?: string | undefined
  label: string
  placeholder?: string | undefined
  /** Hidden fields to submit with the search. */
  hidden?: Record<string, string> | undefined
  problem?: QueryProblem | null | undefined
  /** The id of the input, if another component refers to it. */
  inputId?: string | undefined
  /** Further fields of the form. */
  children?: ReactNode
  /** Renders the completions below the field. */
  completions?: ((field: RefObject<HTMLInputElement | null>) => ReactNode) | undefined
}) {
  const ownId = useId()
  const id = props.inputId ?? ownId
  const problem = props.problem ?? null
  const field = useFieldValue<HTMLInputElement>(props.defaultValue ?? '', checkLength)

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
            onInput={event => checkLength(event.currentTarget)}
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
        {props.children}
        <HiddenFields values={props.hidden ?? {}} />
        <button type="submit" className="visually-hidden-focusable button">
          Search
        </button>
      </form>
      {problem !== null && (
        <div className="search-problem" id={`${id}-problem`} data-result="">
          <ProblemMessage text={props.defaultValue ?? ''} problem={problem} />
        </div>
      )}
    </search>
  )
}

export function HiddenFields({ values }: { values: Record<string, string> }) {
  return Object.entries(values).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ))
}

function ProblemMessage({ text, problem }: { text: string; problem: QueryProblem }) {
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
