/** What stands in place of a secret. */
export const redacted = '[redacted]'

/** A field is a secret when its name ends in one of these words, in any spelling: `accessToken`, `DB_PASSWORD`. */
const secretWords = [
  'authorization',
  'cookie',
  'cookies',
  'credential',
  'credentials',
  'csrf',
  'cvc',
  'cvv',
  'jwt',
  'passphrase',
  'passwd',
  'password',
  'pwd',
  'secret',
  'secrets',
  'token',
  'apikey',
] as const

/** Likewise for names that end in two words. */
const secretPairs = [
  'api key',
  'access key',
  'private key',
  'secret key',
  'card number',
  'session id',
] as const

/** The names that are redacted without being configured, as /settings shows them. */
export const redactedNames: readonly string[] = [...secretWords, ...secretPairs]

const words = new Set<string>(secretWords)
const pairs = new Set<string>(secretPairs)
const known = new Map<string, boolean>()

/** Says whether a field of this name holds a secret. Whole words count: `tokens_used` and `author` do not. */
export function isSecretName(name: string): boolean {
  let secret = known.get(name)
  if (secret === undefined) {
    const parts = name
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter(part => part !== '')
    secret = words.has(parts.at(-1) ?? '') || pairs.has(parts.slice(-2).join(' '))
    // Names repeat with every event; a sender of ever new ones must not fill the memory.
    if (known.size > 10_000) known.clear()
    known.set(name, secret)
  }
  return secret
}

const names =
  '(?:authorization|cookie|passw(?:or)?d|pwd|passphrase|secret|token|jwt|api[_-]?key|access[_-]?key)'
const hint = new RegExp(`bearer|basic|${names}|:\\/\\/`, 'i')
const inText: readonly [RegExp, string][] = [
  // "password": "…" in JSON that was written as text, escaped or not
  [
    new RegExp(`(\\\\?"[\\w-]{0,40}${names}\\\\?"\\s{0,4}:\\s{0,4}\\\\?")(?:\\\\[^"]|[^"\\\\])*`, 'gi'),
    `$1${redacted}`,
  ],
  [/\b(bearer|basic) [\w.~+/=-]{8,}/gi, `$1 ${redacted}`],
  // Headers as text, to the end of the line or of the quoted piece
  [/\b((?:proxy-)?authorization|(?:set-)?cookie): (?!\[redacted)[^\r\n"']+/gi, `$1: ${redacted}`],
  [/\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@:"']{0,200}:[^\s/@"']{1,200}@/gi, `$1${redacted}@`],
  [new RegExp(`\\b((?:[\\w-]{0,40}[_-])?${names})=(?!\\[redacted)[^\\s&;,"']+`, 'gi'), `$1=${redacted}`],
]

/** Takes obvious secrets out of a text: tokens after `Bearer`, passwords in URLs, `token=…`. */
export function redactText(text: string): string {
  if (!hint.test(text)) return text
  return inText.reduce((left, [pattern, replacement]) => left.replace(pattern, replacement), text)
}
