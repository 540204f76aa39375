import { Type } from 'typebox'
import { Value } from 'typebox/value'

/** The part of `npm audit --json` that describes advisories. `via` also contains the names of affected packages. */
const report = Type.Object({
  vulnerabilities: Type.Record(
    Type.String(),
    Type.Object({
      via: Type.Array(
        Type.Union([
          Type.String(),
          Type.Object({
            name: Type.String(),
            title: Type.String(),
            url: Type.String(),
            severity: Type.String(),
            range: Type.String(),
          }),
        ]),
      ),
    }),
  ),
})

/** Advisories that do not affect Sixpane, each with the reason. An advisory must be assessed again after `until`. */
const triage = Type.Array(
  Type.Object({
    id: Type.String({ pattern: '^GHSA(-[a-z0-9]{4}){3}$' }),
    reason: Type.String({ minLength: 20 }),
    until: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
  }),
)

/**
 * Compares a report of `npm audit --json` with the triage file.
 * @param today `YYYY-MM-DD`
 * @returns one line per problem: an advisory without an entry, an expired entry, or an entry that is no longer needed
 * @throws Error if the report or the file has an unexpected shape, for example because the registry could not be reached
 */
export function compareAudit(reportJson: unknown, triageJson: unknown, today: string): string[] {
  if (!Value.Check(report, reportJson))
    throw new Error('npm audit returned no report. Check the connection to the registry, and run it again.')
  if (!Value.Check(triage, triageJson))
    throw new Error(
      'scripts/audit/triage.json must contain entries with an id (GHSA-…), a reason and a date (until).',
    )
  const advisories = new Map(
    Object.values(reportJson.vulnerabilities).flatMap(({ via }) =>
      via.filter(each => typeof each !== 'string').map(each => [idOf(each.url), each] as const),
    ),
  )
  const entries = new Map(triageJson.map(entry => [entry.id, entry]))
  const open = [...advisories].flatMap(([id, { name, title, severity, range }]) => {
    const entry = entries.get(id)
    if (entry === undefined) return [`${id} (${severity}): ${title}, in ${name} ${range}`]
    return entry.until < today ? [`${id}: the decision in the triage file expired on ${entry.until}`] : []
  })
  const unneeded = [...entries.keys()].filter(id => !advisories.has(id))
  return [...open, ...unneeded.map(id => `${id}: no package is affected any more, so remove the entry`)]
}

function idOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1)
}
