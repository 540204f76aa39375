import { paths } from '../../shared/paths.ts'
import type { Snippet } from '../../shared/screens/development.ts'
import type { Role } from '../../shared/user.ts'
import { browserSnippets } from './browser-snippets.ts'
import { nodeSnippets } from './node-snippets.ts'
import { protocolSnippets } from './protocol-snippets.ts'
import { shellQuote } from './shell-quote.ts'
import type { DsnKey, SnippetTarget } from './snippet-target.ts'

/**
 * Returns snippets that send events to this server. They contain variables instead of passwords and tokens.
 * @param role the role of the visitor, because only administrators can create tokens
 * @param dsnKeys the keys of the tokens, newest first, if a token is required and the visitor may see its key
 */
export function connectSnippets(
  origin: string,
  requiresSignIn: boolean,
  role: Role,
  dsnKeys: readonly DsnKey[] = [],
): Snippet[] {
  const required =
    role === 'admin'
      ? ' Set SIXPANE_TOKEN to a token from the settings.'
      : ' Ask an administrator for a token, and set SIXPANE_TOKEN to it.'
  const tokenNote = requiresSignIn ? required : ''
  const target = { origin, requiresSignIn, role, dsnKeys, tokenNote }
  return [
    tryWithCurl(target),
    programOutput(target),
    ...nodeSnippets(target),
    ...protocolSnippets(target),
    ...browserSnippets(target),
    jsonOfAnyLanguage(target),
    existingFile(target),
  ]
}

function tryWithCurl({ origin, requiresSignIn, tokenNote }: SnippetTarget): Snippet {
  return {
    id: 'curl',
    source: 'ndjson',
    title: 'Try it: send a failure with curl',
    language: 'sh',
    code: curl(
      origin,
      requiresSignIn,
      `'{"name":"hello","level":"error","msg":"my first failure","err":{"type":"Error","message":"sent with curl"}}'`,
    ),
    note: `The response contains the number of accepted events. The failure then appears in the list of failures.${tokenNote}`,
  }
}

function programOutput({ origin, tokenNote }: SnippetTarget): Snippet {
  return {
    id: 'stdin',
    source: 'stdin',
    title: 'In development: the output of a program',
    language: 'sh',
    code: `node app.js 2>&1 | SIXPANE_URL=${shellQuote(origin)} npx --no-install sixpane --service my-service`,
    note: `Accepts JSON and plain text, joins the lines of a stack trace, and prints everything in your terminal unchanged.${tokenNote}`,
  }
}

function jsonOfAnyLanguage({ origin }: SnippetTarget): Snippet {
  return {
    id: 'json',
    source: 'ndjson',
    title: 'Any language: JSON',
    language: 'json',
    code: jsonArray,
    note: `POST events to ${origin}${paths.ingest()}, as an array or one object per line (NDJSON), optionally with Content-Encoding: gzip. Every field is optional, and other fields are stored as attributes. An event without a time gets the time of its arrival.`,
  }
}

function existingFile({ origin, requiresSignIn }: SnippetTarget): Snippet {
  return {
    id: 'file',
    source: null,
    title: 'An existing log file',
    language: 'sh',
    code: curl(origin, requiresSignIn, '@app.log'),
    note: 'Lines that are not JSON or are older than the retention period are rejected. The response contains their count, and the line numbers of the first 20. If the file contains plain text or is too large for one request, pipe it into the sixpane command instead.',
  }
}

function curl(origin: string, requiresSignIn: boolean, data: string): string {
  return [
    `curl ${shellQuote(origin + paths.ingest())}`,
    ...(requiresSignIn ? ['-H "authorization: Bearer $SIXPANE_TOKEN"'] : []),
    "-H 'content-type: application/x-ndjson'",
    `--data-binary ${data}`,
  ].join(' \\\n  ')
}

const jsonArray = `[
  {
    "service": "shop",
    "release": "1.4.0",
    "severity": "info",
    "message": "request completed",
    "method": "GET",
    "route": "/cart/:id",
    "status": 200,
    "durationMs": 12.5,
    "requestId": "7f3a"
  },
  {
    "service": "shop",
    "severity": "error",
    "message": "payment failed",
    "requestId": "7f3b",
    "digest": "2338471",
    "exception": {
      "type": "PaymentError",
      "message": "card declined",
      "stack": "PaymentError: card declined\\n    at pay (/app/pay.js:18:9)"
    }
  }
]`
