/**
 * Returns the fingerprints that leave a failure when one of them is split off, and the id of their new failure. Includes
 * fingerprints that were merged together with `fingerprint` and have no stored events, so that links to them open the new
 * failure.
 * @param mergedFrom the failure's fingerprints except its id, each with the id of its failure before a manual merge, or
 * `null`
 * @param stored the fingerprints with stored events
 */
export function splitPart(
  fingerprint: string,
  mergedFrom: ReadonlyMap<string, string | null>,
  stored: ReadonlySet<string>,
): { id: string; fingerprints: string[] } {
  const from = mergedFrom.get(fingerprint) ?? null
  const unstored = [...mergedFrom].flatMap(([other, otherFrom]) =>
    from !== null && otherFrom === from && !stored.has(other) ? other : [],
  )
  const id = from !== null && unstored.includes(from) ? from : fingerprint
  return { id, fingerprints: [fingerprint, ...unstored] }
}
