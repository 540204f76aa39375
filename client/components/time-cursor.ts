import { formatDuration } from '../../shared/format.ts'

/** Shows a vertical line at the pointer in a waterfall, with the time since the start, until the pointer leaves. */
export function showTimeCursor(frame: HTMLElement, lengthMs: number): void {
  const axis = frame.querySelector('.waterfall-axis')
  if (axis === null) return
  const cursor = frame.querySelector<HTMLElement>('.waterfall-cursor') ?? frame.appendChild(newCursor())
  const left = new AbortController()
  const move = ({ clientX }: PointerEvent) => {
    const { x, width } = axis.getBoundingClientRect()
    const ratio = (clientX - x) / width
    cursor.hidden = !(ratio >= 0 && ratio <= 1)
    cursor.style.left = `${clientX - frame.getBoundingClientRect().x}px`
    cursor.firstElementChild?.replaceChildren(formatDuration(ratio * lengthMs))
  }
  const leave = () => {
    cursor.hidden = true
    left.abort()
  }
  frame.addEventListener('pointermove', move, { signal: left.signal })
  frame.addEventListener('pointerleave', leave, { signal: left.signal })
}

function newCursor(): HTMLElement {
  const cursor = document.createElement('div')
  cursor.className = 'waterfall-cursor'
  cursor.ariaHidden = 'true'
  cursor.hidden = true
  cursor.append(document.createElement('span'))
  return cursor
}
