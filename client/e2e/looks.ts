/** Each theme and width occurs only once, because themes and widths are independent of each other. */
export const looks = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 360 },
] as const
