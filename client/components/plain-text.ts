// biome-ignore lint/suspicious/noControlCharactersInRegex: this removes control characters
const ansi = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const control = /[\u0000-\u0008\u000b-\u001f\u007f]/g

/**
 * Prepares log text for display: removes ECMA-48 control sequences (terminal colours), replaces other control characters
 * with control pictures, and replaces lone surrogates with U+FFFD. HTML parsers change some of these characters, which would
 * break hydration.
 */
export function plainText(text: string): string {
  // Most texts need no changes, and this test is much faster than four replacements.
  if (/^[\t\n\x20-\x7e]*$/.test(text)) return text
  return text
    .replace(/\r\n/g, '\n')
    .replace(ansi, '')
    .replace(control, char =>
      char === '\u007f' ? '\u2421' : String.fromCharCode(0x2400 + char.charCodeAt(0)),
    )
    .replace(/\p{Cs}/gu, '\ufffd')
}

/** Whether text is ASCII. ASCII text does not need `dir` or `<bdi>`, which saves hundreds of elements on a log page. */
export function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII contains them
  return /^[\u0000-\u007f]*$/.test(text)
}
