import { normaliseEngineMessage } from './normalise-engine-messages.ts'

/** Longer than a template. Otherwise, the lengths of the values in a message would determine where its template ends. */
const maxMessageLength = 4000
const maxTemplateLength = 1000

type Step = [RegExp, string | ((match: string, ...groups: string[]) => string)]

const months =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:tember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)'
const clock = '\\d{1,2}:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?(?: ?[AP]M\\b)?'
const zone =
  '(?: (?:(?:UTC|[A-Z]{2,4}T)(?:[+-]\\d\\d:?\\d\\d)?|[+-]\\d\\d:?\\d\\d)(?: \\([A-Z][\\w ]{1,60}\\))?)?'
/** `Sun Nov 29 2026 10:00:00 GMT+0100 (…)`, `Sun, 29 Nov 2026 10:00:00 GMT`, `Sun Nov 29 10:00:00 CET 2026` */
const namedDate = `(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? )?(?:\\d{1,2} ${months}|${months} {1,2}\\d{1,2})\\b(?:,? \\d{4}\\b)?(?:,? ${clock}${zone})?(?: \\d{4}\\b)?`

/**
 * Replacements for the values that differ between occurrences. Their order matters. Patterns that match words start at a
 * word boundary; otherwise, a long word would be rescanned from each of its letters.
 */
const steps: readonly Step[] = [
  // PostgreSQL does not quote the values of a row. They may contain quotes and parentheses.
  [/\b(key \([^()\n]{1,200}\)=)\(.*?\)(?= (?:already|is|conflicts)\b|\.?(?:\n|$))/gi, '$1<value>'],
  [/\b(Failing row contains )\(.*\)/g, '$1<value>'],
  [/\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s"'<>`)\]]+/gi, '<url>'],
  [/(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g, '<email>'],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?(?:Z|[+-]\d\d:?\d\d))?)?\b/g, '<date>'],
  [new RegExp(`\\b(?:${namedDate}|\\d{1,2}/\\d{1,2}/\\d{4}(?:,? ${clock})?)`, 'g'), '<date>'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, '<host>'],
  [/(?<![\w:])(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}(?![\w:])/gi, '<host>'],
  [/\blocalhost(?::\d+)?\b/gi, '<host>'],
  [/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH) [\w.-]+(?::\d+)?/g, '$1 <host>'],
  [
    /(?<![\w.-])[\w-]{1,63}(?:\.[\w-]{1,63})*\.(?:com|net|org|io|internal|local)(?::\d+)?(?![\w(.])/gi,
    '<host>',
  ],
  [/(?<![\w.-])[\w-]{1,63}(?:\.[\w-]{1,63})+:\d{2,5}\b/g, '<host>'],
  [/(?<![\w<])(?:[A-Za-z]:)?(?:\.{0,2}[\\/][\w@.()[\]~%+-]+){2,}[\\/]?/g, '<path>'],
  // Quoted text, including “…” and «…». The pattern searches for the end of each quote only once.
  [
    /(?<!\\)"(?:\\.|[^"\\])*"|\u201c[^\u201c\u201d]*\u201d|\u00ab[^\u00ab\u00bb]*\u00bb|`[^`]*`|(?<![\w)\]])'[^']*'(?!\w)/g,
    '<value>',
  ],
  // A Java object without `toString()`: `com.shop.Cart@1b2c3d4`
  [/(?<=[\w$;])@[\da-f]{4,8}\b/g, '@<n>'],
  // Codes such as ERR_HTTP2_STREAM_ERROR identify the bug. Other words with digits are numbers or ids. Both get the same
  // placeholder, because some ids contain only digits.
  [/(?<![\w-])[\w-]*\d[\w-]*/g, word => (/^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/.test(word) ? word : '<n>')],
  [/<n>(?:[.,]<n>)+/g, '<n>'],
  [/\s+/g, ' '],
]

/** A value whose end may be beyond the part of the message that is read. */
const unclosedQuote = /(?:(?<!\\)"|\u201c|\u00ab|`|(?<![\w)\]])')[\s\S]*/

/** In messages of these exception types, quoted words are names from the code: properties, variables, modules. */
const namingTypes = new Set([
  ...['TypeError', 'ReferenceError', 'AttributeError', 'NameError', 'UnboundLocalError', 'KeyError'],
  ...['ImportError', 'ModuleNotFoundError', 'NoSuchMethodError', 'NoSuchFieldError'],
])

/** The name in a Ruby or PHP message: `undefined method 'total' for nil`. Before Ruby 3.4, a backtick precedes the name. */
const undefinedName =
  /^((?:undefined (?:local variable or )?|private |protected )method|Undefined (?:array key|constant)) ["`']([^\s"`']{1,100})["']/

/**
 * Returns the template of a message: the message with placeholders for ids, numbers, quoted values, paths, hosts and
 * dates. Reads the first 4,000 characters, and returns up to 1,000.
 * @param type the exception's type without its package
 */
export function normaliseMessage(message: string, type: string): string {
  let text = normaliseEngineMessage(message.slice(0, maxMessageLength), type)
  // An array key with digits may be an id.
  text = text.replace(
    undefinedName,
    (_, kind: string, name: string) => `${kind} ‹${kind.endsWith('key') ? name : letters(name)}›`,
  )
  if (namingTypes.has(type)) text = text.replace(/'([A-Za-z_$][A-Za-z_$.]{0,60})'/g, '‹$1›')
  if (type === 'NullPointerException') text = text.replace(/"([^"]{1,300})"/g, '‹$1›')
  // Production builds of React identify errors by number: https://react.dev/errors
  text = text.replace(
    /Minified React error #(\d+)/,
    (_, code: string) => `Minified React error ${letters(code)}`,
  )
  for (const [pattern, replacement] of steps) {
    text =
      typeof replacement === 'string'
        ? text.replace(pattern, replacement)
        : text.replace(pattern, replacement)
  }
  if (message.length > maxMessageLength) text = text.replace(unclosedQuote, '<value>')
  return text.trim().slice(0, maxTemplateLength)
}

/** Converts the digits of a name to letters, so that later steps do not replace them with a placeholder. */
function letters(name: string): string {
  return name.replace(/\d/g, digit => String.fromCharCode(97 + Number(digit)))
}
