import { type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import type { Completion } from '../../shared/completion.ts'
import { pluralise } from '../../shared/format.ts'
import { paths } from '../../shared/paths.ts'
import type { Range } from '../../shared/range.ts'
import { announce } from '../announce.ts'
import { isForInputMethod } from '../shell/is-for-input-method.ts'
import { parseCompletion } from './parse-completion.ts'
import { plainText } from './plain-text.ts'

type Loaded = {
  completion: Completion | null
  /** The field's text when the completion was requested. */
  completedText: string
}

const nothing: Loaded = { completion: null, completedText: '' }

/** Delay between the last keystroke and the request. */
const debounceMs = 120

/**
 * Lists completions below a search field. The arrow keys select an option, Enter or Tab accepts it, and Escape closes the
 * list. Nothing is preselected. Screen readers would report the number of options of a combobox, but a search field must not
 * be one (https://www.w3.org/TR/html-aria/#el-input-search), so `announce` reports the number.
 */
export function Completions({ field, range }: { field: RefObject<HTMLInputElement | null>; range: Range }) {
  const id = useId()
  const [{ completion, completedText }, setLoaded] = useState<Loaded>(nothing)
  const [selected, setSelected] = useState(-1)
  const options = completion?.options ?? []
  const isOpen = options.length > 0
  /** Whether the options match the current text rather than the text before the last keystroke. */
  const isCurrent = () => isOpen && field.current?.value === completedText
  const pending = useRef<AbortController>(null)

  const close = () => {
    pending.current?.abort()
    setLoaded(nothing)
    setSelected(-1)
  }
  const load = (input: HTMLInputElement) => {
    pending.current?.abort()
    const request = new AbortController()
    pending.current = request
    const { value: q } = input
    const at = input.selectionStart ?? q.length
    const timer = setTimeout(async () => {
      const loaded = await fetchCompletion(paths.complete({ q, at, range }), request.signal)
      if (request.signal.aborted) return
      setLoaded({ completion: loaded, completedText: q })
      setSelected(-1)
      const count = loaded?.options.length ?? 0
      if (count > 0) announce(`${pluralise(count, 'suggestion')}. Press the down arrow.`)
    }, debounceMs)
    request.signal.addEventListener('abort', () => clearTimeout(timer))
  }
  const accept = (index: number) => {
    const [input, option] = [field.current, options[index]]
    if (input === null || option === undefined || completion === null || !isCurrent()) return
    const after = input.value.slice(completion.to)
    // A value follows a field name; a space follows a complete term.
    const text = option.text.endsWith(':') || after.startsWith(' ') ? option.text : `${option.text} `
    input.value = input.value.slice(0, completion.from) + text + after
    const cursor = completion.from + text.length
    input.setSelectionRange(cursor, cursor)
    input.focus()
    close()
    load(input)
  }
  const onKey = (event: KeyboardEvent) => {
    if (isForInputMethod(event) || event.shiftKey) return
    if (isOpen && event.key === 'Escape') close()
    else if (!isCurrent()) {
      if (event.key === 'ArrowDown' && field.current !== null) load(field.current)
      return
    } else if (event.key === 'ArrowDown') setSelected((selected + 1) % options.length)
    else if (event.key === 'ArrowUp') setSelected(selected <= 0 ? options.length - 1 : selected - 1)
    else if ((event.key === 'Enter' || event.key === 'Tab') && selected >= 0) accept(selected)
    else return
    event.preventDefault()
  }

  useField(field, id, selected, { onKey, load, close })

  return (
    <div className="completions" id={id} role="listbox" aria-label="Suggestions" hidden={!isOpen}>
      {options.map(({ text, label, hint }, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys
        <div
          key={text}
          id={`${id}-${index}`}
          className="completions-option"
          role="option"
          tabIndex={-1}
          aria-selected={index === selected}
          // Keeps the focus in the field.
          onPointerDown={event => event.preventDefault()}
          onClick={() => accept(index)}
        >
          <bdi>{plainText(label)}</bdi>
          <span className="muted">{hint}</span>
        </div>
      ))}
    </div>
  )
}

type Handlers = {
  onKey(event: KeyboardEvent): void
  load(input: HTMLInputElement): void
  close(): void
}

/** Connects a search field to the list of its completions. */
function useField(
  field: RefObject<HTMLInputElement | null>,
  listId: string,
  selected: number,
  handlers: Handlers,
): void {
  const onKey = useEffectEvent(handlers.onKey)
  const load = useEffectEvent(handlers.load)
  const close = useEffectEvent(handlers.close)
  useEffect(() => {
    const input = field.current
    if (input === null) return
    const ended = new AbortController()
    const options = { signal: ended.signal }
    input.addEventListener('input', () => load(input), options)
    input.addEventListener('keydown', event => onKey(event), options)
    input.addEventListener('blur', () => close(), options)
    input.form?.addEventListener('submit', () => close(), options)
    input.setAttribute('aria-autocomplete', 'list')
    input.setAttribute('aria-controls', listId)
    return () => {
      ended.abort()
      close()
    }
  }, [field, listId])
  useEffect(() => {
    if (selected < 0) field.current?.removeAttribute('aria-activedescendant')
    else field.current?.setAttribute('aria-activedescendant', `${listId}-${selected}`)
  }, [field, listId, selected])
}

/** Returns `null` if the request fails, because completions are optional. */
async function fetchCompletion(href: string, signal: AbortSignal): Promise<Completion | null> {
  try {
    const response = await fetch(href, { signal })
    return response.ok ? parseCompletion(await response.json()) : null
  } catch {
    return null
  }
}
