/**
 * Whether a database has refused a statement because it does not have what it asks for: `feature_not_supported`, or a class of
 * errors that says that a word, a function or the like is not known.
 */
export function isUnsupported(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^(0A000|42...)$/.test(code)
}
