/**
 * Replaces equivalent error messages from V8, SpiderMonkey and JavaScriptCore with the same text, so that a bug does not
 * become a separate failure in each browser. Only the last name in an expression (`e.cart.total`) counts, because minifiers
 * rename variables, but not properties.
 * @param type the exception's type without its package
 */
export function normaliseEngineMessage(message: string, type: string): string {
  for (const [pattern, rewrite] of rewrites.get(type) ?? []) {
    const match = pattern.exec(message)
    if (match !== null) return rewrite(match[1] ?? '', match[2] ?? '') + message.slice(match[0].length)
  }
  return message
}

type Rewrite = readonly [RegExp, (first: string, second: string) => string]

const noPropertyOf = (name: string, of: string) => `no ${quoted(name)} of ${of}`
const notOfKind = (expression: string, kind: string) => `${lastName(expression)} is not ${kind}`.trim()

const rewrites = new Map<string, readonly Rewrite[]>(
  Object.entries({
    TypeError: [
      [
        /^Cannot (?:read|set) properties of (undefined|null) \((?:reading|setting) '([^']{1,200})'\)/,
        (of, name) => noPropertyOf(name, of),
      ],
      [/^Cannot (?:read|set) property '([^']{1,200})' of (undefined|null)/, noPropertyOf],
      [
        /^Cannot destructure property '([^']{1,200})' of .{1,300}? as it is (undefined|null)\.?/,
        noPropertyOf,
      ],
      [/^can't access property "([^"]{1,200})", .{1,300}? is (undefined|null)/, noPropertyOf],
      [/^can't access property (\d{1,10}), .{1,300}? is (undefined|null)/, noPropertyOf],
      [
        /^(undefined|null) is not an object \(evaluating '(.{1,300}?)(?: = .{0,300}?)?'\)/,
        (of, expression) => noPropertyOf(/[\w$]+(?=\W*$)/.exec(expression)?.[0] ?? '', of),
      ],
      [/^(.{1,300}?) is not (a function|a constructor|iterable)(?:\. \(In .{0,500}\))?\.?/, notOfKind],
      [/^([\w$.]{1,300}) is (undefined|null)$/, (name, of) => `${lastName(name)} is ${of}`],
      [/^(?:Failed to fetch|error loading) dynamically imported module: \S*/, () => 'no module'],
      [/^Importing a module script failed\.?/, () => 'no module'],
      [
        /^(?:Failed to fetch|NetworkError when attempting to fetch resource|Load failed)\.?/,
        () => 'no answer',
      ],
    ],
    ReferenceError: [
      [/^Can't find variable: ([\w$]{1,200})/, name => `${name} is not defined`],
      [
        /^(?:Cannot access|can't access lexical declaration) '([\w$]{1,200})' before initialization\.?/,
        name => `${lastName(name)} before initialization`,
      ],
    ],
    SyntaxError: [
      [
        /^(?:Unexpected end of JSON input|JSON\.parse: unexpected end of data.*|JSON Parse error: Unexpected EOF)/,
        () => 'JSON ends',
      ],
      [
        /^(?:Unexpected token .* is not valid JSON|Unexpected token .{1,4} in JSON.*|JSON\.parse: .*|JSON Parse error: .*)/,
        () => 'not JSON',
      ],
    ],
  }),
)

/** Returns the last name in `e.cart.total` or `(intermediate value).total`, or `''` if it may be a minified variable. */
function lastName(expression: string): string {
  const name = /(?<![\w$])[\w$]+(?=\W*$)/.exec(expression)?.[0] ?? ''
  return name.length > 2 || expression.includes(`.${name}`) ? quoted(name) : ''
}

function quoted(name: string): string {
  return `‹${name}›`
}
