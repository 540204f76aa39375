/** Returns the release that `withSixpane` set. Bundlers replace the whole expression, and browsers have no `process`. */
export function builtRelease(): string | undefined {
  try {
    return process.env.SIXPANE_RELEASE || undefined
  } catch {
    return undefined
  }
}
