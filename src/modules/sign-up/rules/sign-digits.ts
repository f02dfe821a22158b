/** Digits of a number, at least. */
const least = 6

/** Digits of an exam's numbers: one that takes many gets enough from the first on. Drafts and skipped numbers count along. */
export const widthOf = (maxSignup: number | null): number => Math.max(least, String(2 * (maxSignup ?? 0)).length)

/**
 * A number in so many digits. The last tenth of them is not used: from there on a 9 goes before and counting begins anew, so that
 * numbers get longer without end and the order of the texts stays the order in which they were given.
 */
export function digitsOf(serial: number, width: number): string {
  const each = 9 * 10 ** (width - 1)
  return '9'.repeat(Math.floor(serial / each)) + String(serial % each).padStart(width, '0')
}
