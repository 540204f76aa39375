/**
 * The words of V8, SpiderMonkey and JavaScriptCore for the faults that every browser meets, made one: otherwise
 * a fault would be three failures, one a browser. Of an expression (`e.cart.total`) only the last name counts: a
 * minifier has chosen those of variables, and never those of properties.
 * @param type the exception's type, without a package
 */
export function inOneVoice(message: string, type: string): string {
  for (const [pattern, say] of voices.get(type) ?? []) {
    const match = pattern.exec(message)
    if (match !== null) return say(match[1] ?? '', match[2] ?? '') + message.slice(match[0].length)
  }
  return message
}

type Voice = readonly [RegExp, (first: string, second: string) => string]

const noProperty = (name: string, of: string) => `no ${quoted(name)} of ${of}`
const notA = (expression: string, kind: string) => `${lastName(expression)} is not ${kind}`.trim()

const voices = new Map<string, readonly Voice[]>(
  Object.entries({
    TypeError: [
      [
        /^Cannot (?:read|set) properties of (undefined|null) \((?:reading|setting) '([^']{1,200})'\)/,
        (of, name) => noProperty(name, of),
      ],
      [/^Cannot (?:read|set) property '([^']{1,200})' of (undefined|null)/, noProperty],
      [/^Cannot destructure property '([^']{1,200})' of .{1,300}? as it is (undefined|null)\.?/, noProperty],
      [/^can't access property "([^"]{1,200})", .{1,300}? is (undefined|null)/, noProperty],
      [
        /^(undefined|null) is not an object \(evaluating '(.{1,300}?)(?: = .{0,300}?)?'\)/,
        (of, expression) => noProperty(/[\w$]+(?=\W*$)/.exec(expression)?.[0] ?? '', of),
      ],
      [/^(.{1,300}?) is not (a function|a constructor|iterable)(?:\. \(In .{0,500}\))?\.?/, notA],
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

/** Of `e.cart.total` or `(intermediate value).total` the property; nothing of a name as short as a minifier's. */
function lastName(expression: string): string {
  const name = /(?<![\w$])[\w$]+(?=\W*$)/.exec(expression)?.[0] ?? ''
  return name.length > 2 || expression.includes(`.${name}`) ? quoted(name) : ''
}

function quoted(name: string): string {
  return `‹${name}›`
}
