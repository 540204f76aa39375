/**
 * Formats a value as a line of JSON, with its line break. Also escapes the control characters that `JSON.stringify` does not
 * escape, because a terminal that shows the line may interpret them.
 */
export function jsonLine(value: object): string {
  return `${JSON.stringify(value).replace(/[\x7f-\x9f]/g, escapeCharacter)}\n`
}

function escapeCharacter(character: string): string {
  return `\\u00${character.charCodeAt(0).toString(16)}`
}
