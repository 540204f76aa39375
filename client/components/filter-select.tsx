import { useId } from 'react'
import type { Option } from './field.tsx'
import { Icon } from './icon.tsx'
import { useFieldValue } from './use-field-value.ts'

/** A select in a filter form. Choosing an option submits the form. */
export function FilterSelect(props: { label: string; name: string; value: string; options: Option[] }) {
  const { label, name, value, options } = props
  const id = useId()
  const select = useFieldValue<HTMLSelectElement>(value)
  return (
    <span className="field-select">
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <select
        ref={select}
        id={id}
        name={name}
        defaultValue={value}
        onChange={({ target }) => target.form?.requestSubmit()}
      >
        {options.map(option => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="down" />
    </span>
  )
}
