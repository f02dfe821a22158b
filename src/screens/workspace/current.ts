/** The row that this window last worked on, by the name of its workspace. */
const nameOf = (workspace: string) => `juxian-place-${workspace}`

/** Remembers the row for this window, and for the person's next one. */
export function rememberPlace(workspace: string, id: string): void {
  sessionStorage.setItem(nameOf(workspace), id)
  localStorage.setItem(nameOf(workspace), id)
}

/** The row that somebody last worked on: in this window, else in any of this browser. */
export const lastPlace = (workspace: string): string | undefined =>
  sessionStorage.getItem(nameOf(workspace)) ?? localStorage.getItem(nameOf(workspace)) ?? undefined
