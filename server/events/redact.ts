/** What stands in place of a secret. */
export const redacted = '[redacted]'

/**
 * A field is a secret when its name ends in one of these, in any spelling and with any digits: `accessToken`,
 * `DB_PASSWORD`, `x-api-key`, `password2`. The end counts: `tokens_used` and `author` are no secrets.
 */
const secrets = [
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
  'password hash',
  'pwd',
  'secret',
  'secrets',
  'token',
  'api key',
  'access key',
  'private key',
  'secret key',
  'card number',
  'session id',
] as const

/** The names that are redacted without being configured, as /settings shows them. */
export const redactedNames: readonly string[] = secrets

const atEnd = new RegExp(`(?:${secrets.join('|').replaceAll(' ', '')})$`)

/** Says whether a field of this name holds a secret. */
export function isSecretName(name: string): boolean {
  return atEnd.test(name.toLowerCase().replace(/[^a-z]/g, ''))
}

// What stands before the name (`"db_`, `access`) is not matched but left: so each place of a text is looked at
// once, and no text makes a pattern slow. For the same reason every run in a pattern is bounded or cannot be
// entered at two places.
const name = `(?:${secrets.join('|').replaceAll(' ', '[ _-]?')})\\d{0,3}`
const hint = new RegExp(`bearer|basic|eyJ|:\\/\\/|${name}`, 'i')
const inText: readonly [RegExp, string][] = [
  // JSON, an inspected object or an assignment: password: 'x', "password": "x", password="x"
  [new RegExp(`(${name}["']?\\s{0,4}[:=]\\s{0,4}")(?:\\\\[^]|[^"\\\\])*`, 'gi'), `$1${redacted}`],
  [new RegExp(`(${name}["']?\\s{0,4}[:=]\\s{0,4}')(?:\\\\[^]|[^'\\\\])*`, 'gi'), `$1${redacted}`],
  // JSON inside of JSON: \"password\":\"x\", where a quote of the secret has more backslashes
  [
    new RegExp(`(${name}\\\\{1,9}"\\s{0,4}:\\s{0,4}\\\\{1,9}")(?:[^"\\\\]|\\\\+(?!["\\\\])|\\\\{2,}")*`, 'gi'),
    `$1${redacted}`,
  ],
  // A number in either
  [new RegExp(`(${name}\\\\{0,9}"\\s{0,4}:\\s{0,4})[-\\d.]+`, 'gi'), `$1"${redacted}"`],
  [/\b(bearer|basic)(\s{1,4})[\w.~+/=-]{6,}/gi, `$1$2${redacted}`],
  [/(?<![\w-])eyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*/g, redacted],
  // Headers as text, to the end of the line or of the quoted piece
  [/(authorization|cookie):[ \t]{0,4}[^\s"'][^\r\n"']*/gi, `$1: ${redacted}`],
  // The userinfo of a URL, up to the last @ before its path
  [/(:\/\/)[^\s/?#"'<>]{1,300}@/g, `$1${redacted}@`],
  // Query strings, forms, environment files
  [new RegExp(`(${name}[ \\t]{0,2}=[ \\t]{0,2})[^\\s&;,"']+`, 'gi'), `$1${redacted}`],
  // A last word (`password: x`); in a sentence more words follow
  [new RegExp(`(${name}:[ \\t]{0,4})[^\\s,;&"'(){}]{4,}(?=[ \\t]{0,4}(?:[\\r\\n,;})]|$))`, 'gi'), `$1${redacted}`],
]

/** Takes obvious secrets out of a text: tokens after `Bearer`, passwords in URLs, `token=…`, `"secret":"…"`. */
export function redactText(text: string): string {
  if (!hint.test(text)) return text
  return inText.reduce((left, [pattern, replacement]) => left.replace(pattern, replacement), text)
}
