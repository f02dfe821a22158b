/** The host of an address or of a bare domain, lower case; empty when there is none. */
export function hostOf(text: string): string {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`
  try {
    return new URL(address.trim()).host.toLowerCase()
  } catch {
    return ''
  }
}
