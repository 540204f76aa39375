import { type ComponentProps, type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { Icon } from './icon.tsx'

type Field = {
  label: string
  name: string
  defaultValue?: string | undefined
  hint?: ReactNode
  /** An error message about the value. */
  problem?: string | undefined
}
export type Option = { value: string; label: string }

export function TextField({
  label,
  hint,
  problem,
  ...input
}: Field & Omit<ComponentProps<'input'>, keyof Field>) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input type="text" {...input} id={id} {...ariaProps(id, hint, problem)} />
      <FieldMessages id={id} hint={hint} problem={problem} />
    </div>
  )
}

/** A multi-line text field. */
export function TextAreaField({
  label,
  hint,
  problem,
  ...input
}: Field & Omit<ComponentProps<'textarea'>, keyof Field>) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea {...input} id={id} {...ariaProps(id, hint, problem)} />
      <FieldMessages id={id} hint={hint} problem={problem} />
    </div>
  )
}

export function SelectField({
  label,
  name,
  defaultValue,
  options,
  hint,
  problem,
}: Field & { options: Option[] }) {
  const id = useId()
  const select = useRef<HTMLSelectElement>(null)
  // React ignores changes to a select's default value, so resetting the form would restore the initial one.
  useLayoutEffect(() => {
    for (const option of select.current?.options ?? []) option.defaultSelected = option.value === defaultValue
  }, [defaultValue])
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <span className="field-select">
        <select
          ref={select}
          id={id}
          name={name}
          defaultValue={defaultValue}
          {...ariaProps(id, hint, problem)}
        >
          {options.map(option => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <Icon name="down" />
      </span>
      <FieldMessages id={id} hint={hint} problem={problem} />
    </div>
  )
}

/** Radio buttons styled as one segmented control. */
export function ChoiceField({
  label,
  name,
  defaultValue,
  options,
  hint,
  problem,
}: Field & { options: Option[] }) {
  const id = useId()
  return (
    <fieldset className="field" aria-describedby={ariaProps(id, hint, problem)['aria-describedby']}>
      <legend>{label}</legend>
      <div className="choice">
        {options.map(option => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              value={option.value}
              defaultChecked={option.value === defaultValue}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
      <FieldMessages id={id} hint={hint} problem={problem} />
    </fieldset>
  )
}

/** A checkbox; checked if `defaultValue` is `on`. */
export function CheckField({ label, name, defaultValue, hint, problem }: Field) {
  const id = useId()
  return (
    <div className="field">
      <label className="check">
        <input
          type="checkbox"
          name={name}
          defaultChecked={defaultValue === 'on'}
          {...ariaProps(id, hint, problem)}
        />
        {label}
      </label>
      <FieldMessages id={id} hint={hint} problem={problem} />
    </div>
  )
}

function FieldMessages({ id, hint, problem }: { id: string; hint: ReactNode; problem: string | undefined }) {
  return (
    <>
      {hint !== undefined && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem !== undefined && (
        <p className="field-problem" id={`${id}-problem`}>
          <Icon name="error" />
          {problem}
        </p>
      )}
    </>
  )
}

function ariaProps(id: string, hint: ReactNode, problem: string | undefined) {
  const ids = [
    ...(problem === undefined ? [] : [`${id}-problem`]),
    ...(hint === undefined ? [] : [`${id}-hint`]),
  ]
  return {
    'aria-describedby': ids.length === 0 ? undefined : ids.join(' '),
    'aria-invalid': problem === undefined ? undefined : true,
  }
}
