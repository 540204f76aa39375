import { type RefObject, useEffect } from 'react'

/**
 * Makes the links of a list a single tab stop: the most recently focused link, or else the current one, or else the first.
 * The arrow keys move to the other links. Without JavaScript, each link is a tab stop.
 */
export function useOneTabStop(list: RefObject<HTMLElement | null>): void {
  // Runs after every render, because new links have no tab index.
  useEffect(() => {
    const element = list.current
    if (element === null) return
    const links = [...element.querySelectorAll('a')]
    setStop(
      links,
      links.find(link => link === document.activeElement) ??
        links.find(link => link.getAttribute('tabindex') === '0') ??
        links.find(link => link.ariaCurrent === 'true') ??
        links[0],
    )
    const onFocus = ({ target }: FocusEvent) => {
      const focused = links.find(link => link === target)
      if (focused !== undefined) setStop(links, focused)
    }
    element.addEventListener('focusin', onFocus)
    return () => element.removeEventListener('focusin', onFocus)
  })
}

function setStop(links: readonly HTMLAnchorElement[], stop: HTMLAnchorElement | undefined): void {
  for (const link of links) {
    const tabIndex = link === stop ? '0' : '-1'
    if (link.getAttribute('tabindex') !== tabIndex) link.setAttribute('tabindex', tabIndex)
  }
}
