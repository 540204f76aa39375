import { redacted } from '../../shared/event.ts'

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
  'xsrf',
] as const

/** Likewise for names that end in these words together, written as one word or as several. */
const secretPairs = [
  'access key',
  'access token',
  'api key',
  'api token',
  'auth token',
  'card number',
  'client secret',
  'id token',
  'private key',
  'proxy authorization',
  'refresh token',
  'secret key',
  'session id',
  'set cookie',
] as const

/** The names that are redacted without being configured, as /settings shows them. */
export const redactedNames: readonly string[] = [...secretWords, ...secretPairs]

const secrets = new Set<string>([...secretWords, ...secretPairs.map(pair => pair.replace(' ', ''))])
const known = new Map<string, boolean>()

/**
 * Says whether a field of this name holds a secret. The last words of the name count, and they count whole:
 * `tokens_used`, `author` and `cookieBanner` are no secrets. A number at the end is no word: `password2` is one.
 */
export function isSecretName(name: string): boolean {
  let secret = known.get(name)
  if (secret === undefined) {
    const parts = wordsOf(name)
    const last = parts.at(-1) ?? ''
    const lastTwo = parts.slice(-2).join('')
    secret = secrets.has(last) || secrets.has(lastTwo) || secrets.has(parts.join(''))
    // Names repeat with every event; a sender of ever new ones must not fill the memory.
    if (known.size >= 10_000) known.clear()
    known.set(name, secret)
  }
  return secret
}

/** `X-API-Key2`, `xApiKey` and `x_api_key` are `x`, `api`, `key`. */
function wordsOf(name: string): string[] {
  // Longer than any name of a field: no time goes into it.
  const words = name.slice(-200).match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []
  return words.map(word => word.toLowerCase())
}

/** Backslashes before a quote of JSON that is a text in JSON, once, twice and three times. */
const escapings = ['\\\\', '\\\\{3}', '\\\\{7}'] as const

// What stands before the name (`"db_`, `access`) is not part of it: so no place of a text is looked at twice. Every
// run below is bounded or can be entered at one place only, so that no text makes a pattern slow.
const names =
  '(?:authorization|cookie|credentials?|passw(?:or)?d|passphrase|pwd|secret|token|jwt|cvc|cvv|(?:api|access|private|secret)[_-]?key|session[_-]?id|card[_-]?number)\\d{0,3}'
/** A secret that stands behind its name in a text, and what the text becomes. */
const named: readonly [RegExp, string][] = [
  // `"password": "…"` in JSON, `password: '…'` as Node inspects it, `password="…"`
  [new RegExp(`(${names}["']?\\s{0,4}[:=]\\s{0,4}")(?:\\\\.|[^"\\\\])*`, 'gis'), `$1${redacted}`],
  [new RegExp(`(${names}["']?\\s{0,4}[:=]\\s{0,4}')(?:\\\\.|[^'\\\\])*`, 'gis'), `$1${redacted}`],
  // JSON that was written as a text in JSON, up to three times
  ...escapings.map((slashes): [RegExp, string] => [
    new RegExp(
      `(${names}${slashes}"\\s{0,4}:\\s{0,4}${slashes}")(?:(?!${slashes}")(?:\\\\+"|\\\\+|[^"\\\\]))*`,
      'gi',
    ),
    `$1${redacted}`,
  ]),
  [new RegExp(`(${names}(\\\\{0,7})"\\s{0,4}:\\s{0,4})-?\\d[\\d.]*`, 'gi'), `$1$2"${redacted}$2"`],
  // Headers, to the end of the line or of the quoted piece
  [/\b((?:proxy-)?authorization|(?:set-)?cookie): (?!\[redacted)[^\r\n"']+/gi, `$1: ${redacted}`],
  // Queries, forms, environment files
  [new RegExp(`(${names} {0,2}= {0,2})(?!["'\\\\])[^\\s&;,"']+`, 'gi'), `$1${redacted}`],
  // The last word of a line or a quoted piece (`X-Api-Key: …`); in a sentence more words follow
  [new RegExp(`(${names}: {1,2})[^\\s,;&"'(){}]{4,}(?=\\s*$|[\\r\\n,;})"'])`, 'gi'), `$1${redacted}`],
]

/** A secret that is known by its looks, or by what stands around it. */
const evident: readonly [RegExp, string][] = [
  [/\bbearer [\w.~+/=-]{6,}/gi, `Bearer ${redacted}`],
  // Base64 of name and password; "basic authentication" is none.
  [/\bbasic (?=[a-z+/]*[\d=])[\w+/=-]{8,}/gi, `Basic ${redacted}`],
  // Name and password in a URL
  [/(:\/\/)[^\s/?#@"'<>]{1,500}@/g, `$1${redacted}@`],
  // JSON Web Tokens and keys
  [/(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, redacted],
  [/-----BEGIN ([A-Z ]{0,30}PRIVATE KEY)-----[\s\S]*?(?:-----END \1-----|$)/g, redacted],
]

const namedHint = new RegExp(names, 'i')
const evidentHint = /bearer|basic|:\/\/|eyJ|-----BEGIN/i

/** Takes obvious secrets out of a text: tokens after `Bearer`, passwords in URLs, `token=…`, private keys. */
export function redactText(text: string): string {
  // Nearly no text holds one: two looks are much quicker than a replacement for each.
  const first = namedHint.test(text) ? replaceAll(text, named) : text
  return evidentHint.test(first) ? replaceAll(first, evident) : first
}

function replaceAll(text: string, patterns: readonly [RegExp, string][]): string {
  return patterns.reduce((left, [pattern, replacement]) => left.replace(pattern, replacement), text)
}
