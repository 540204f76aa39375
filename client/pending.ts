const barAfterMs = 150

/**
 * Shows that a page is loading: marks the links to the page immediately, and shows a bar at the top if loading takes longer
 * than `barAfterMs`.
 * @returns a function to call when the navigation ends, with `true` if another navigation has replaced it
 */
export function showPending(url: URL): (isSuperseded: boolean) => void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('a[href]')].filter(
    link => link.href === url.href,
  )
  for (const link of links) link.dataset.pending = ''
  const bar = setTimeout(() => {
    document.documentElement.dataset.pending = ''
  }, barAfterMs)
  return isSuperseded => {
    clearTimeout(bar)
    for (const link of links) delete link.dataset.pending
    if (!isSuperseded) delete document.documentElement.dataset.pending
  }
}
