/**
 * Says what runs the program, as Node does by itself since version 21. Without this name the PostgreSQL client makes a `Response` to find
 * out, which loads all of `fetch`: nine megabytes. To be called before the client is loaded.
 */
export function nameRuntime(): void {
  if (typeof navigator !== 'undefined') return
  const [major] = process.versions.node.split('.')
  Object.defineProperty(globalThis, 'navigator', { value: { userAgent: `Node.js/${major}` }, configurable: true })
}
