/** The tags that Rails writes at the start of each line of an exception, such as the request id: `[6f1d2c3b] [admin] `. */
export const railsTags = /^(?:\[[^\]\n]{1,100}\](?: |$)){1,20}/

export function withoutRailsTags(line: string): string {
  return line.replace(railsTags, '')
}
