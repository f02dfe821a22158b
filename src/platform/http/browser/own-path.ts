/** A path of ours with its query; anything else, and the sign-in page itself, leads to the first page. */
export function ownPath(to: string | null | undefined): string {
  if (!URL.canParse(to ?? '', location.origin)) return '/'
  const asked = new URL(to ?? '', location.origin)
  return asked.origin === location.origin && asked.pathname !== '/login' ? asked.pathname + asked.search : '/'
}
