import { type Column, columnKey } from '../../../shared/columns.ts'
import { saveColumns } from './save-columns.ts'

/** A drag that starts within this many CSS pixels of the end of a heading resizes the column. */
const edgePx = 10
/** A shorter movement is a click. */
const minMovePx = 5
const minWidthPx = 40

/**
 * Drags a column by its heading: resizes the column if the drag starts at the end of the heading, and otherwise moves it.
 * Saves the new columns when the pointer is released. The heading must have captured the pointer.
 * @param pageUrl the URL of the page of the log
 */
export function dragColumn(
  heading: HTMLElement,
  start: Pick<PointerEvent, 'pointerId' | 'clientX'>,
  columns: readonly Column[],
  pageUrl: string,
): void {
  const { right } = heading.getBoundingClientRect()
  const change = right - start.clientX <= edgePx ? resize(heading) : move(heading)
  const ended = new AbortController()
  const { signal } = ended
  let isMoved = false
  const follow = ({ buttons, clientX }: PointerEvent) => {
    // A browser menu may have consumed the event that ends the drag.
    if ((buttons & 1) === 0) return end()
    isMoved ||= Math.abs(clientX - start.clientX) >= minMovePx
    if (isMoved) change.show(clientX, clientX - start.clientX)
  }
  const end = () => {
    ended.abort()
    const changed = change.end(columns)
    if (isMoved) saveColumns(changed, pageUrl)
  }
  heading.addEventListener('pointermove', follow, { signal })
  heading.addEventListener('pointerup', end, { signal })
  const cancel = () => {
    ended.abort()
    change.cancel()
  }
  heading.addEventListener('pointercancel', cancel, { signal })
}

type Change = {
  show(clientX: number, distancePx: number): void
  end(columns: readonly Column[]): Column[]
  /** Shows the columns as they were before the drag. */
  cancel(): void
}

function resize(heading: HTMLElement): Change {
  const table = heading.closest('table')
  const index = [...(heading.parentElement?.children ?? [])].indexOf(heading)
  const column = table?.querySelectorAll('col')[index]
  const startPx = heading.getBoundingClientRect().width
  let widthPx = startPx
  const reset = () => column?.style.removeProperty('width')
  return {
    show(_clientX, distancePx) {
      widthPx = Math.max(Math.round(startPx + distancePx), minWidthPx)
      if (column) column.style.width = `${widthPx}px`
    },
    end(columns) {
      // The page that shows the saved columns sets the width.
      if ('navigation' in window) navigation.addEventListener('navigatesuccess', reset, { once: true })
      return columns.map(each => (columnKey(each) === heading.dataset.column ? { ...each, widthPx } : each))
    },
    cancel: reset,
  }
}

function move(heading: HTMLElement): Change {
  const headings = [...(heading.parentElement?.querySelectorAll<HTMLElement>('[data-column]') ?? [])]
  let target: HTMLElement | undefined
  const mark = (next: HTMLElement | undefined) => {
    delete target?.dataset.drop
    target = next
    if (target !== undefined) target.dataset.drop = isAfter(heading, target) ? 'after' : 'before'
  }
  return {
    show(clientX) {
      mark(headings.find(each => each !== heading && containsX(each, clientX)))
    },
    end(columns) {
      const key = target?.dataset.column
      const goesAfter = target !== undefined && isAfter(heading, target)
      mark(undefined)
      const moved = columns.find(each => columnKey(each) === heading.dataset.column)
      if (key === undefined || moved === undefined) return [...columns]
      return columns
        .filter(each => each !== moved)
        .flatMap(each => (columnKey(each) === key ? (goesAfter ? [each, moved] : [moved, each]) : [each]))
    },
    cancel: () => mark(undefined),
  }
}

function isAfter(heading: HTMLElement, other: HTMLElement): boolean {
  return (heading.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
}

function containsX(heading: HTMLElement, clientX: number): boolean {
  const { left, right } = heading.getBoundingClientRect()
  return clientX >= left && clientX < right
}
