import { isChangedText } from '../../unsaved.ts'

/** Whether any field's value differs from the one that the page was rendered with. */
export function hasChanges(form: HTMLFormElement): boolean {
  return [...form.elements].some(isChangedField)
}

/** Whether a field's value differs from the one that the page was rendered with. */
export function isChangedField(field: Element): boolean {
  return (
    isChangedText(field) ||
    (field instanceof HTMLInputElement && field.checked !== field.defaultChecked) ||
    (field instanceof HTMLSelectElement &&
      [...field.options].some(option => option.selected !== option.defaultSelected))
  )
}
