const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

// Most strings contain none of these characters, and this test is much faster than two replacements.
// biome-ignore lint/suspicious/noControlCharactersInRegex: escaping replaces control characters
const needsEscaping = /[&<>"'\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff]/

/**
 * Escapes text for element content and quoted attribute values. C0 control characters except tab and line breaks, and lone
 * surrogates, become U+FFFD.
 */
export function escapeHtml(text: string): string {
  if (!needsEscaping.test(text)) return text
  return (
    text
      .replace(/[&<>"']/g, char => entities[char] ?? char)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: escaping replaces control characters
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]|\p{Cs}/gu, '\ufffd')
  )
}
