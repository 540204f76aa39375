import { useEffect, useState } from 'react'
import { type PaletteEntry, paletteEntryKinds } from '../../shared/palette-entry.ts'
import { paths } from '../../shared/paths.ts'

/** Loads the palette's entries from the server. Returns `undefined` while loading, and `null` if the request failed. */
export function usePaletteEntries(): PaletteEntry[] | null | undefined {
  const [entries, setEntries] = useState<PaletteEntry[] | null>()
  useEffect(() => {
    const unmounted = new AbortController()
    const show = (loaded: PaletteEntry[] | null) => {
      if (!unmounted.signal.aborted) setEntries(loaded)
    }
    fetchEntries(unmounted.signal).then(show, () => show(null))
    return () => unmounted.abort()
  }, [])
  return entries
}

async function fetchEntries(signal: AbortSignal): Promise<PaletteEntry[] | null> {
  const response = await fetch(paths.find(), { signal })
  const body: unknown = response.ok ? await response.json() : null
  return Array.isArray(body) && body.every(isPaletteEntry) ? body : null
}

function isPaletteEntry(value: unknown): value is PaletteEntry {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false
  const hasText = (name: string) => typeof Reflect.get(value, name) === 'string'
  const hasAllTexts = ['label', 'hint', 'searchText', 'href'].every(hasText)
  return hasAllTexts && paletteEntryKinds.some(kind => kind === value.kind)
}
