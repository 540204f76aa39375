import { type RefObject, useEffect, useRef } from 'react'

/**
 * Returns a ref for a field with this default value. Sets the field's value when the default value changes, for example when
 * the visitor goes back, because React does not replace typed text. Remounting the field would lose the focus.
 * @param onReset called after the value has been set; must be the same function in each render
 */
export function useFieldValue<Field extends { value: string }>(
  value: string,
  onReset?: (field: Field) => void,
): RefObject<Field | null> {
  const field = useRef<Field>(null)
  const shown = useRef(value)
  useEffect(() => {
    if (shown.current === value || field.current === null) return
    shown.current = value
    field.current.value = value
    onReset?.(field.current)
  }, [value, onReset])
  return field
}
