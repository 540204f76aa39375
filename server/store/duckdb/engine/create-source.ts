import type { Source } from '../sql/source.ts'
import type { OpenFiles } from './open-files.ts'

/** Creates a source for the queries of one caller. The queries read the files that are open when this function is called. */
export function createSource(files: OpenFiles, signal: AbortSignal | undefined): Source {
  const { segments, summaries, requestSummaries, sampleCache, runQuery, readResult } = files
  return {
    services: null,
    segments,
    query: query => runQuery(query, signal),
    queryCached: files.queryCache.query,
    samplesCached: async (query, affectedBy) => (await sampleCache.query(query, affectedBy)).samples,
    read: query => readResult(query, signal),
    summary: name => summaries.read(name, segments.all()),
    requestSummaries: some => requestSummaries.read(some, segments.active(), signal),
    eventBlocks: files.eventBlocks.read,
    serviceTimes: files.serviceTimes.read,
    failureIndex: files.failureIndex.read,
    searchFilters: files.searchFilters.read,
  }
}
