import { Type } from 'typebox'

/** Returns the schema of a value that may be absent. */
export const nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])
