/**
 * A regular expression for decimal text that counts as a number, in the syntax of JavaScript and RE2. The casts of the
 * engines also accept other text, such as `NaN`, `Infinity` and `1_000`.
 */
export const numberPattern = '^[\\t-\\r ]*[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)?[\\t-\\r ]*$'
