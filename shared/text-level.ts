import { type Severity, severityLetters, severityWords } from './severity.ts'

/** Only words that are unambiguous in plain text. `log`, `http` and `alert`, for example, are usually part of the message. */
const { trace, debug, info, notice, warn, warning, error, severe, fatal, critical, panic, dpanic } =
  severityWords
const levels: Readonly<Record<string, Severity>> = {
  ...{ trace, debug, info, notice, warn, warning },
  ...{ error, severe, fatal, critical, panic, dpanic },
  ...severityLetters,
}
/** Words and abbreviations that are recognised only in the formats of some loggers and servers. */
const otherLevels: Readonly<Record<string, Severity>> = {
  ...{ trce: 'trace', dbug: 'debug', fail: 'error', crit: 'fatal' },
  ...{
    VRB: 'trace',
    TRC: 'trace',
    DBG: 'debug',
    INF: 'info',
    WRN: 'warn',
    ERR: 'error',
    FTL: 'fatal',
    PNC: 'fatal',
  },
  ...{ emerg: 'fatal', alert: 'fatal', ALERT: 'fatal', EMERGENCY: 'fatal' },
  ...{ '.': 'debug', '-': 'debug', '*': 'info', '#': 'warn' },
}
const words = Object.keys(levels)
  .filter(word => word.length > 1)
  .join('|')

/** The number of characters that are searched at the start of a line. Later words belong to the message. */
const searchedLength = 120

const date = '\\d{4}[-/]\\d\\d[-/]\\d\\d'
const leadingTime = `(?:${date}[T ]|[A-Z][a-z]{2} [ \\d]\\d )?\\d\\d:\\d\\d:\\d\\d[\\d.,]{0,10} ?(?:Z|UTC|[+-]\\d\\d:?\\d\\d)?|${date}`

/** Common positions of the level, most reliable first; the first group captures the word or letter. */
const patterns = [
  // glog and klog: I1122 07:10:11.123456    4321 server.go:42] …
  /^([IWEF])(?:0\d|1[0-2])[0-3]\d \d\d:\d\d:\d\d\.\d/,
  // logcat, threadtime: 11-22 07:10:11.123  1702  2395 D Tag: …
  /^(?:\d{4}-)?\d\d-\d\d \d\d:\d\d:\d\d\.\d{3,6} (?: {0,8}[\w-]{1,20} ){2,3}([VDIWEFA]) [^:]{1,100}:/,
  // logcat, time and brief: 11-22 07:10:11.123 D/Tag( 1702): …
  /^(?:(?:\d{4}-)?\d\d-\d\d \d\d:\d\d:\d\d\.\d{3,6} )?([VDIWEFA])\/[^(]{1,100}\( {0,5}\d{1,7}\):/,
  // Tornado, Jupyter: [W 261122 07:10:11 web:42] …, [I 2026-11-22 07:10:11.123 ServerApp] …
  /^\[([DIWEC]) (?:\d{6} |\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d[. ]/,
  // Ruby: E, [2026-11-22T07:10:11.123456 #42] ERROR -- : …
  /^([DIWEF]), \[\d{4}-\d\d-\d\dT/,
  // Windows servicing: 2026-11-22 07:10:11, Error                 CBS    …
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d, (Info|Warning|Error) {2}/,
  // .NET: fail: Microsoft.AspNetCore.Server.Kestrel[13]
  /^(trce|dbug|fail|crit): [^\s[]{1,100}\[-?\d{1,10}\]/,
  // Serilog: [07:10:11 ERR] …, 2026-11-22 07:10:11.123 +00:00 [ERR] …; zerolog: 7:10AM ERR …
  /^\[?(?:\d{4}-\d\d-\d\d[T ])?\d{1,2}:\d\d[^\s\]]{0,25}(?: [+-]\d\d:\d\d)? \[?(VRB|TRC|DBG|INF|WRN|ERR|FTL|PNC)(?=\]| )/,
  // nginx: 2026/11/22 07:10:11 [crit] …; Apache: [Sun Nov 22 07:10:11.123456 2026] [php:error] …
  /^(?:\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d|\[[A-Z][a-z]{2} [A-Z][a-z]{2} [^\]]{1,30}\]) \[(?:\w{1,50}:)?(emerg|alert|crit|error|warn|notice|info|debug)\]/,
  // Redis and Valkey: 1:M 22 Nov 2026 07:10:11.123 # …
  /^\d{1,7}:[CMSX] \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d\.\d{3} ([.*#-]) /,
  // Celery: [2026-11-22 07:10:11,123: ERROR/MainProcess] …
  /^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}: (DEBUG|INFO|WARNING|ERROR|CRITICAL)\//,
  // Monolog (Symfony, Laravel): [2026-11-22T07:10:11.123456+00:00] app.ERROR: …
  /^\[\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[^\s\]]{0,20}\] [^\s:]{1,50}\.(DEBUG|INFO|NOTICE|WARNING|ERROR|CRITICAL|ALERT|EMERGENCY):/,
  // zap's console, with a time or seconds: 2026-11-22T07:10:11.123Z⇥error⇥main.go:3⇥…, 1.7953314111234e+09⇥error⇥…
  /^[\d.e+:TZ-]{8,35}\t(debug|info|warn|error|dpanic|panic|fatal)(?:\t|$)/,
  // PHP: [22-Nov-2026 07:10:11 UTC] PHP Fatal error:  …
  /^(?:\[[^\]]{1,50}\] )?PHP (?:Fatal|Parse|Recoverable fatal) (error): /,
  // winston: 2026-11-22T07:10:11.123Z error: …, 2026-11-22 07:10:11 [shop] error: …
  new RegExp(
    `^\\[?\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d[^\\s\\]]{0,20}\\]? (?:\\[[^\\]]{1,50}\\] )?(${words}):`,
    'i',
  ),
  // warn - …, error: …
  new RegExp(`^[^\\p{L}\\p{N}]{0,10}(${words})(?::|\\s{1,4}-\\s)`, 'iu'),
  // Padded, as by log4j and structlog: [WARN ] …, 2026-11-22 07:10:11,123 [main] [ INFO] …
  new RegExp(
    `^(?:${leadingTime})?[\\s|]{0,3}(?:\\[[^\\]]{1,50}\\][\\s|]{0,3}){0,4}?\\[ {0,5}(${words}) {0,5}\\]`,
    'i',
  ),
  // [error] …, <warn> …
  new RegExp(`[[<(](${words})[\\])>]`, 'i'),
  // 12:00:01 ERROR …, 12:00:01 | WARN | …
  new RegExp(`(?:^|[\\s|\\]])(${words.toUpperCase()})(?=$|[\\s|:[(])`),
  // logfmt
  new RegExp(`(?:^|\\s)(?:level|lvl|severity)="?(${words})\\b`, 'i'),
  // ERROR:root:…, as written by Python's logging
  new RegExp(`^(${words.toUpperCase()}):`),
  // (node:12) DeprecationWarning: …
  /(?:^|\s)\w{0,50}(Warning): /,
]

/** Finds the level at the start of a plain-text line without ANSI codes. Returns `null` if there is none. */
export function levelOfText(line: string): Severity | null {
  // The underscore prevents a match of a word that continues after the searched characters.
  const start = line.length > searchedLength ? `${line.slice(0, searchedLength)}_` : line
  // Next.js prints ⨯ and ⚠: https://github.com/vercel/next.js/blob/canary/packages/next/src/build/output/log.ts
  if (/^\s*\u2a2f/.test(start)) return 'error'
  if (/^\s*\u26a0/.test(start)) return 'warn'
  for (const pattern of patterns) {
    const word = pattern.exec(start)?.[1]
    if (word !== undefined) return levels[word.toLowerCase()] ?? otherLevels[word] ?? null
  }
  return null
}
