/** Files fetched at once; more would keep the sign-in call waiting for a connection. */
const AT_ONCE = 3

/** The application's files in the order in which a page needs them, written into the page by the build. */
interface Ahead {
  all: string[]
  staff: string[]
  candidate: string[]
}

function list(): string[] {
  const text = document.getElementById('ahead')?.textContent
  if (!text) return []
  const ahead = JSON.parse(text) as Ahead
  const last = localStorage.getItem('juxian-last-type')
  const isCandidate = last ? last === '2' : matchMedia('(max-width: 767px)').matches
  return [...ahead.all, ...(isCandidate ? ahead.candidate : ahead.staff)]
}

/** Brings the application into the browser's cache while the person is typing. */
export async function fetchAhead(): Promise<void> {
  const files = list()
  const work = async (): Promise<void> => {
    for (let file = files.shift(); file; file = files.shift()) {
      await fetch(file, { priority: 'low' }).catch(() => undefined)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}
