// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this takes out
const ansi = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const control = /[\u0000-\u0008\u000b-\u001f\u007f]/g

/**
 * A text from a log as a screen can show it: without the terminal's colours (ECMA-48 control sequences), other
 * control characters as their pictures, half surrogate pairs as U+FFFD, so that the browser reads back from
 * the page exactly what was written into it.
 */
export function plainText(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(ansi, '')
    .replace(control, char =>
      char === '\u007f' ? '\u2421' : String.fromCharCode(0x2400 + char.charCodeAt(0)),
    )
    .replace(/\p{Cs}/gu, '\ufffd')
}
