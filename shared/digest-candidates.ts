import { looksLikeDigest } from './digest-format.ts'

const maxCandidates = 8
/** Text with fewer words is a search rather than a sentence. */
const minSentenceWords = 3

/** A possible digest. `isLabelled` is `false` for unlabelled words in sentences, which may be something else. */
export type DigestCandidate = { digest: string; isLabelled: boolean }

/**
 * Finds the words in pasted text that may be digests, most likely first. The text may be a single word, or contain
 * digests anywhere: it may come from a failure page (`Digest: 2338471`, or `ERROR 2338471` since Next.js 16), JSON
 * (`"digest":"2338471"`), a URL (`digest=2338471`) or a ticket (`error code 2338471`, `#2338471`). Text in double quotes and
 * text such as `digest:2338471` contain none, because they are always searches. Runs in linear time.
 */
export function digestCandidates(text: string): DigestCandidate[] {
  if (/^\s*(?:".*"|digest:[\w@.*-]+)\s*$/is.test(text)) return []
  const bare = text.trim().replace(decoration, '')
  if (oneWord.test(bare)) return [{ digest: bare, isLabelled: true }]

  const withoutTerms = text.replaceAll(fieldTerm, ';')
  const isSentence = wordsWithoutColon(withoutTerms) >= minSentenceWords
  const labelled = [...withoutTerms.matchAll(labelledDigest)].flatMap(([, label = '', word = '']) =>
    /^digest$/i.test(label) || /\d/.test(word) ? formsOf(word) : [],
  )
  const numbered = [...withoutTerms.matchAll(numberedDigest)].flatMap(([, digest]) => digest ?? [])
  const inSentence = isSentence
    ? [...withoutTerms.matchAll(words)]
        .map(([word]) => word)
        .filter(word => /\d/.test(word) && looksLikeDigest(word))
    : []
  return [
    ...[...labelled, ...numbered].map(digest => ({ digest, isLabelled: true })),
    ...inSentence.map(digest => ({ digest, isLabelled: false })),
  ]
    .filter(({ digest }, index, all) => all.findIndex(each => each.digest === digest) === index)
    .slice(0, maxCandidates)
}

/** Returns the first candidate in pasted text that is very likely a digest, even if no event has it; `null` if none is. */
export function likelyDigestIn(text: string): string | null {
  const likely = digestCandidates(text).find(
    ({ digest, isLabelled }) => isLabelled && looksLikeDigest(digest),
  )
  return likely?.digest ?? null
}

/** Text that may be a digest: one word without a field name. */
const oneWord = /^[A-Za-z0-9@._-]{4,40}$/

const quotes = "'`‘’‚“”„‟«»‹›（）［］【】「」『』"
const invisible = '\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff'
const closing = `[)\\]>.,!?;…。、，！？；${quotes}${invisible}]`

/**
 * Characters around a digest in chats and tickets, including invisible characters that were copied with it. Double quotes
 * are not removed, because quoted text is always a search.
 */
const decoration = new RegExp(`^[#([<${quotes}${invisible}]+|(?<!${closing})${closing}+$`, 'g')

/**
 * A term of the search language, such as `digest:2338471` or `x.errorId:"4711"`. Excludes names that are a single word in
 * capitals or with an initial capital, because these are labels on failure pages: `Digest:`, `Error ID:`.
 */
const fieldTerm =
  /(?<![^\s(])-*(?!\p{Lu}(?:\p{Ll}*|\p{Lu}*):)(?:"(?:\\.|[^"\\])*"|[\p{L}_@$][\p{L}\p{N}_@$.-]*):[<>=]*(?:"(?:\\.|[^"\\])*"|[\w@.*-]+)\)*(?!\S)/gu

const separators = '\\\\"*_<>:：=＝#|([→–—'

/**
 * A label, a word, and the characters between them, such as quotes, brackets, percent-encoded characters, and the `>` of
 * quoted e-mails.
 */
const labelledDigest = new RegExp(
  String.raw`(?<![\w-])(digest|(?:error|event|correlation|incident|support|reference)[ _-]?(?:id|code|digest|number|no\.?)|reference)` +
    String.raw`(?!\w)(?:[\s+${separators}${quotes}${invisible}]|%[\da-f]{2}|is\s){1,16}([\w@.-]{4,100})`,
  'gi',
)

/** A number after a number sign, or after `ERROR` as on Next.js failure pages. */
const numberedDigest = /(?:#|(?<!\w)ERROR\s{1,3})(\d{5,10}(?:@E\d{1,5})?)(?!\w)/g

const words = /(?<![\w@.#/:=-])[\w@]{6,20}(?![\w@/:=-]|\.\d)/g

/**
 * Returns a word without trailing punctuation. If the word starts with a number, also returns this number, because other text
 * may be attached to it. The number comes first unless the whole word looks like a digest.
 */
function formsOf(word: string): string[] {
  const trimmed = word.replace(/[.-]+$/, '')
  const number = /^\d{5,10}(?:@E\d{1,5})?/.exec(trimmed)?.[0]
  if (number === undefined) return [trimmed]
  return looksLikeDigest(trimmed) ? [trimmed, number] : [number, trimmed]
}

function wordsWithoutColon(text: string): number {
  return text.split(/[\s;]+/).filter(word => /^[^:]+:?$/.test(word)).length
}
