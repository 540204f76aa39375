/**
 * Converts text to lower case as DuckDB does. JavaScript and ClickHouse convert İ to two characters, and a Σ at the end of a
 * word to ς.
 */
export function lowerCase(text: string): string {
  return text.replaceAll('İ', 'i').replaceAll('Σ', 'σ').toLowerCase()
}
