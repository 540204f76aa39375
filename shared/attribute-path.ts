/** Longer paths are rare, and each further part would add three alternatives to every search for the path. */
export const maxPathParts = 8

/**
 * Whether a search for the dotted path of these nested keys finds the attribute: see `attributeKeys` on the server. Regular
 * expressions are smaller in the browser than loops. In them, `.*` is one key.
 */
export function isSearchable(keys: readonly string[]): boolean {
  const lines = keys.join('\n')
  return (
    /^([^.]*|.*)$/.test(lines) ||
    (/^(.*\n[^.]*|[^.]*\n.*|.*\n.*)$/.test(lines) && lines.split(/[.\n]/).length <= maxPathParts)
  )
}
