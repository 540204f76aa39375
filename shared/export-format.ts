/** The formats in which the log can be exported. */
export const exportFormats = ['ndjson', 'csv'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** Maximum number of events in an exported file. */
export const maxExportedEvents = 100_000
