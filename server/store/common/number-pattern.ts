/**
 * A regular expression for decimal text that counts as a number, in the syntax of JavaScript and RE2. The engines' casts
 * also accept other text, such as `NaN`, `Infinity` and `1_000`. Only spaces may surround a number, because
 * ClickHouse removes no other white space.
 */
export const numberPattern = '^ *[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)? *$'
