import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import type { Completion } from '../../../shared/completion.ts'
import { paths } from '../../../shared/paths.ts'
import type { Range } from '../../../shared/range.ts'
import { announce } from '../../announce.ts'
import { plainText } from '../../components/plain-text.ts'
import { readCompletion } from './read-completion.ts'

/** How long typing has to rest before the server is asked. */
const restMs = 120

/**
 * What may be typed next in a search, as a list under its field. Arrow keys choose, Enter or Tab takes what is chosen,
 * Escape closes; nothing is ever taken that was not chosen. The field stays a search field, which may not say that it
 * opens a list (https://www.w3.org/TR/html-aria/#el-input-search): that there is one is announced.
 */
export function Completions({ field, range }: { field: RefObject<HTMLInputElement | null>; range: Range }) {
  const id = useId()
  const [found, setFound] = useState<Completion | null>(null)
  const [chosen, setChosen] = useState(-1)
  const options = found?.options ?? []
  const isOpen = options.length > 0
  const asking = useRef<AbortController>(null)

  const close = () => {
    asking.current?.abort()
    setFound(null)
    setChosen(-1)
  }
  const ask = (input: HTMLInputElement) => {
    asking.current?.abort()
    const asked = new AbortController()
    asking.current = asked
    const at = input.selectionStart ?? input.value.length
    const rest = setTimeout(async () => {
      const completion = await fetchCompletion(paths.complete({ q: input.value, at, range }), asked.signal)
      if (asked.signal.aborted) return
      setFound(completion)
      setChosen(-1)
      const count = completion?.options.length ?? 0
      if (count > 0) announce(`${count} to choose from: arrow down`)
    }, restMs)
    asked.signal.addEventListener('abort', () => clearTimeout(rest))
  }
  const take = (index: number) => {
    const [input, option] = [field.current, options[index]]
    if (input === null || option === undefined || found === null) return
    const after = input.value.slice(found.to)
    // A field wants its value next; a whole term is followed by the next one.
    const text = option.text.endsWith(':') || after.startsWith(' ') ? option.text : `${option.text} `
    input.value = input.value.slice(0, found.from) + text + after
    const cursor = found.from + text.length
    input.setSelectionRange(cursor, cursor)
    input.focus()
    close()
    ask(input)
  }
  const onKey = (event: KeyboardEvent) => {
    if (!isOpen) {
      if (event.key === 'ArrowDown' && field.current !== null) ask(field.current)
      return
    }
    if (event.key === 'ArrowDown') setChosen((chosen + 1) % options.length)
    else if (event.key === 'ArrowUp') setChosen(chosen <= 0 ? options.length - 1 : chosen - 1)
    else if (event.key === 'Escape') close()
    else if ((event.key === 'Enter' || event.key === 'Tab') && chosen >= 0) take(chosen)
    else return
    event.preventDefault()
  }

  const latest = useRef({ onKey, ask, close })
  useEffect(() => {
    latest.current = { onKey, ask, close }
  })
  useEffect(() => {
    const input = field.current
    if (input === null) return
    const ended = new AbortController()
    const on = { signal: ended.signal }
    input.addEventListener('input', () => latest.current.ask(input), on)
    input.addEventListener('keydown', event => latest.current.onKey(event), on)
    input.addEventListener('blur', () => latest.current.close(), on)
    input.form?.addEventListener('submit', () => latest.current.close(), on)
    input.setAttribute('aria-autocomplete', 'list')
    input.setAttribute('aria-controls', id)
    return () => ended.abort()
  }, [field, id])
  useEffect(() => {
    if (chosen < 0) field.current?.removeAttribute('aria-activedescendant')
    else field.current?.setAttribute('aria-activedescendant', `${id}-${chosen}`)
  }, [field, id, chosen])

  return (
    <div className="completions" id={id} role="listbox" aria-label="What may be typed" hidden={!isOpen}>
      {options.map(({ text, label, hint }, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's, which keeps the focus
        <div
          key={text}
          id={`${id}-${index}`}
          className="completions-option"
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          // Before the field loses the focus over it.
          onPointerDown={event => event.preventDefault()}
          onClick={() => take(index)}
        >
          <bdi>{plainText(label)}</bdi>
          <span className="muted">{hint}</span>
        </div>
      ))}
    </div>
  )
}

/** Without an answer there is nothing to offer: typing goes on. */
async function fetchCompletion(href: string, signal: AbortSignal): Promise<Completion | null> {
  try {
    const answer = await fetch(href, { signal })
    return answer.ok ? readCompletion(await answer.json()) : null
  } catch {
    return null
  }
}
