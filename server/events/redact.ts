import { redacted } from '../../shared/event.ts'

/** A field is secret if its name ends in one of these words, in any case style: `accessToken`, `DB_PASSWORD`. */
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

/** A field is also secret if its name ends in one of these pairs, written as one word or as two. */
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

/** The names of fields that are always redacted. The settings page lists them. */
export const redactedNames: readonly string[] = [...secretWords, ...secretPairs]

const secrets = new Set<string>([...secretWords, ...secretPairs.map(pair => pair.replace(' ', ''))])

/**
 * Whether a field with this name contains a secret. Only whole words at the end of the name count, so
 * `tokens_used`, `author` and `cookieBanner` are not secret. A number at the end is ignored: `password2` is secret.
 */
export function isSecretName(name: string): boolean {
  const parts = wordsOf(name)
  const last = parts.at(-1) ?? ''
  const lastTwo = parts.slice(-2).join('')
  return secrets.has(last) || secrets.has(lastTwo) || secrets.has(parts.join('')) || joinedPassword.test(last)
}

/** libpq's `PGPASSWORD` and similar names consist of words that nothing separates. */
const joinedPassword = /(?:password|passwd|passphrase)$/

/** `X-API-Key2`, `xApiKey` and `x_api_key` become `x`, `api`, `key`. */
function wordsOf(name: string): string[] {
  // Limits the time for very long names.
  const words = name.slice(-200).match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []
  return words.map(word => word.toLowerCase())
}

/** Backslashes before a quote in a JSON string that contains JSON, nested one, two or three times. */
const escapings = ['\\\\', '\\\\{3}', '\\\\{7}'] as const

// Matches the end of a name, not its prefix (`"db_`, `access`), so that no character is scanned twice. Every repetition
// below has a limit or a unique start, which prevents catastrophic backtracking.
const names =
  '(?:authorization|cookies?|credentials?|passw(?:or)?d|passphrase|pwd|secrets?|token|[cx]srf|jwt|cvc|cvv|(?:api|access|private|secret)[_-]?key|session[_-]?id|card[_-]?number)\\d{0,3}'
const separator = '\\s{0,4}(?:=>|[:=])\\s{0,4}'
const inDouble = '(?:\\\\.|[^"\\\\])*'
const inSingle = "(?:\\\\.|[^'\\\\])*"
const quoted = `(?:"${inDouble}"?|'${inSingle}'?)`
/** A whole entry without quotes, such as a number or `null`, in a list that also has quoted entries. */
const bare = '[\\w.+-]{1,40}(?=\\s{0,40}[,\\]])'
const quotedList = `(\\[\\s{0,40})(?:${bare}\\s{0,40},\\s{0,40})*(?=(["']))${quoted}(?:\\s{0,40},\\s{0,40}(?:${quoted}|${bare}))*`
/** The start of a value in a Java map: a list up to its `]`, or a scheme before a token but not before `realm="…"`. */
const unquotedList = '(?:(?<==)\\[[^[\\]\\r\\n"\']*(?=\\]))'
const scheme = '(?:(?:bearer|basic|token) (?=[\\w.~+/=-]{6})(?!\\w+=["\']?\\w))'
/** The schemes that distinguish a header without a space (`Authorization:Basic …`) from other text. */
const authentication = '(?:basic|bearer|digest|negotiate|token)'
/** A character of a word in text or in a list. */
const word = '[^\\s,;&"\'(){}]'
/** Patterns for secrets that follow a name, and their replacements. */
const named: readonly [RegExp, string][] = [
  // `"password": "…"` in JSON, `password: '…'` and `password: [ '…', "…" ]` as printed by Node's `inspect`, `password="…"`,
  // `:password=>"…"` in Ruby. In a list, a single `[redacted]` replaces all entries.
  [
    new RegExp(`(${names}["']?${separator})(?:${quotedList}|(")${inDouble}|(')${inSingle})`, 'gis'),
    `$1$2$3$4$5${redacted}$3`,
  ],
  // JSON in a JSON string, nested up to three times
  ...escapings.map((slashes): [RegExp, string] => {
    const text = `(?:(?!${slashes}")(?:\\\\+"|\\\\+|[^"\\\\]))*`
    const list = `(\\[\\s{0,4}${slashes}")${text}(?:${slashes}"\\s{0,4},\\s{0,4}(?:${bare},\\s{0,4})*${slashes}"${text})*`
    return [
      new RegExp(`(${names}${slashes}"${separator})(?:${list}|(${slashes}")${text})`, 'gi'),
      `$1$2$3${redacted}`,
    ]
  }),
  // A number after a quoted name. The replacement uses the name's quotes, so that JSON stays valid.
  [new RegExp(`(${names}(\\\\{0,7}["'])${separator})-?\\d[\\d.]*`, 'gi'), `$1$2${redacted}$2`],
  // Headers, up to the end of the line or the closing quote
  [
    new RegExp(
      `\\b((?:proxy-)?authorization:(?: |(?=${authentication} ))|(?:set-)?cookie:(?: |(?=[\\w.-]{1,100}=)))(?!\\[(?:redacted|\\s{0,40}["']))[^\\r\\n"']+`,
      'gi',
    ),
    `$1${redacted}`,
  ],
  // PHP's `print_r`
  [new RegExp(`(\\[[\\w.-]{0,60}?${names}\\] => )[^\\r\\n]+`, 'gi'), `$1${redacted}`],
  // All pairs in a cookie header that follows `cookie=`. The next pattern would stop after the first pair.
  [/(cookies? {0,2}= {0,2})[\w.-]+=[^\s;,"']*(?:; ?[\w.-]+=[^\s;,"']*)*/gi, `$1${redacted}`],
  // Queries, forms, environment files, Java's maps
  [
    new RegExp(
      `(${names} {0,2}= {0,2})(?!>?\\[?\\s{0,4}["'\\\\]|>\\s)${unquotedList}?${scheme}?[^\\s&;,"']+`,
      'gi',
    ),
    `$1${redacted}`,
  ],
  // Elements in XML, up to the next tag
  [
    new RegExp(
      `(${names}(?:\\s[^<>]{0,300})?>(?:<!\\[CDATA\\[)?)(?=[^\\s<])(?:(?!\\]\\]>)[^<]){1,4000}(?=(?:\\]\\]>)?<\\\\{0,7}/)`,
      'gi',
    ),
    `$1${redacted}`,
  ],
  // Nested fields of a form: `user[password]=…`, `tokens[token][]=…`
  [new RegExp(`([\\w\\]]\\[[\\w-]{0,60}?${names}\\](?:\\[\\])?=)[^\\s&;,"']+`, 'gi'), `$1${redacted}`],
  // The last word in a line or a quoted string (`X-Api-Key: …`). In a sentence, more words would follow. Without a space, any
  // word with a digit, but not `token:12:3` in a stack.
  [
    new RegExp(
      `(${names}:(?: {1,2}(?=${word}{4,}(?:\\s*$|[\\r\\n,;})"']))|(?![:[]|//|\\d+:\\d)(?=${word}{0,100}?\\d)))${word}{4,}`,
      'gi',
    ),
    `$1${redacted}`,
  ],
]

/** The brackets of a nested field, encoded up to three times: `user%5Bpassword%5D=…` */
const encodedBracket = '%(?:25){0,2}5D(?:%(?:25){0,2}5B%(?:25){0,2}5D)?'
/** Also matches queries in an encoded URL, up to the next `&`. Separate, because few strings contain `%`. */
const namedOrEncoded: readonly [RegExp, string][] = [
  ...named,
  [
    new RegExp(
      `(${names}(?:${encodedBracket}=|(?:${encodedBracket})?%(?:25){0,2}3D))(?:(?!%(?:25){0,2}26)[^\\s&;,"'])+`,
      'gi',
    ),
    `$1${redacted}`,
  ],
]

/** The documented prefixes of tokens issued by Sixpane, GitHub, npm, Slack and Stripe. */
const tokenPrefixes = 'sxp_|github_pat_|gh[oprsu]_|npm_|xox[abeprs]-|xapp-\\d-|sk_live_'
/** Stripe's other prefix. As part of `tokenPrefixes`, it would double the time that `unnamedSecretHint` takes. */
const restrictedKeyPrefix = 'rk_live_'

/** Patterns for secrets that are recognised by format or context, without a name. */
const unnamedSecrets: readonly [RegExp, string][] = [
  [/\bbearer [\w.~+/=-]{6,}/gi, `Bearer ${redacted}`],
  // Nearly all Base64 credentials contain a digit or `=`; "basic authentication" does not.
  [/\bbasic (?=[a-z+/]*[\d=])[\w+/=-]{8,}/gi, `Basic ${redacted}`],
  // Name and password in a URL. The password may contain `@`, because parsers split at the last `@`.
  [/(:\/\/)[^\s/?#"'<>]{1,500}@/g, `$1${redacted}@`],
  [/(%3A%2F%2F)(?:(?!%2F|%3F|%23)[^\s/?#&"'<>]){1,500}%40/gi, `$1${redacted}%40`],
  // JSON Web Tokens
  [/(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, redacted],
  // Tokens with a known prefix, including AWS access keys
  [
    new RegExp(`\\b(?:${tokenPrefixes}|${restrictedKeyPrefix})[\\w-]{16,}|\\bAKIA[A-Z0-9]{16}\\b`, 'g'),
    redacted,
  ],
  [/-----BEGIN ([A-Z ]{0,30}PRIVATE KEY)-----[\s\S]*?(?:-----END \1-----|$)/g, redacted],
]

const namedHint = new RegExp(names, 'i')
const unnamedSecretHint = new RegExp(`bearer|basic|://|eyJ|-----BEGIN|${tokenPrefixes}|AKIA`, 'i')

/** The length of the shortest secret without `:`, `=`, `%` or `<`: `bearer`, a space and six characters. */
const minUnmarkedLength = 13

/** Redacts secrets in text: tokens after `Bearer`, passwords in URLs, `token=…`, private keys. */
export function redactText(text: string): string {
  // Few strings contain secrets, and these checks are much faster than the replacements. A secret's name precedes `:`
  // or `=`, which may be encoded, or is in an XML tag.
  const isEncoded = text.includes('%')
  const isMarked = isEncoded || text.includes(':') || text.includes('=') || text.includes('<')
  if (!isMarked && text.length < minUnmarkedLength) return text
  const first = isMarked && namedHint.test(text) ? replaceAll(text, isEncoded ? namedOrEncoded : named) : text
  const isHinted =
    unnamedSecretHint.test(first) ||
    first.includes(restrictedKeyPrefix) ||
    (isEncoded && first.includes('%40'))
  return isHinted ? replaceAll(first, unnamedSecrets) : first
}

function replaceAll(text: string, patterns: readonly [RegExp, string][]): string {
  return patterns.reduce((left, [pattern, replacement]) => left.replace(pattern, replacement), text)
}
