import { createRequire } from 'node:module'

// https://github.com/minimaxir/big-list-of-naughty-strings
const bigList: readonly string[] = createRequire(import.meta.url)('big-list-of-naughty-strings')

/** Strings that could end the hydration data or confuse a parser for HTML, JSON or JavaScript. */
const breakers = [
  '</script>',
  '</script ><b>',
  '</SCRIPT/x>',
  '<!--<script>',
  '<!--<script></script>-->',
  '-->',
  '<![CDATA[</script>]]>',
  '</title></head></div></body></html>',
  '<template><div data-failure>',
  '<plaintext>',
  '\\u003c/script>',
  '\\\\u003c',
  '&lt;/script&gt;',
  '&#0;&#x3c;&NotEqualTilde;&amp',
  '"></main><main id="main">',
  `'"\`\\`,
  '{{constructor.constructor("return 1")()}}',
  'line\u2028and\u2029paragraph',
  'a\r\nb\rc\n\nd\te',
  ' leading and trailing \u00a0',
  '\ufeffbyte order mark',
  '\ufffe\uffff\ufdd0',
  '\u{10ffff}\u{1f468}\u200d\u{1f469}',
  '\ud800',
  'high \ud83d alone, low \ude00 alone',
  '\udc00\ud800',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'then',
  'toJSON',
  'null',
  '0',
  '-0',
  '9007199254740993',
  '1e400',
  '…',
  ' ',
  '',
]

const controlCharacters = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).filter(
  character => /\p{Cc}/u.test(character),
)
/** 13 control characters per string. */
const controls = Array.from(
  { length: Math.ceil(controlCharacters.length / 13) },
  (_, index) => `control ${controlCharacters.slice(index * 13, index * 13 + 13).join(' character ')} end`,
)

/** Distinct strings that are known to break programs, except one that Sixpane treats as the name of a secret field. */
export const naughtyStrings: readonly string[] = [...new Set([...bigList, ...breakers, ...controls])].filter(
  text => !text.endsWith('/etc/passwd%00'),
)
