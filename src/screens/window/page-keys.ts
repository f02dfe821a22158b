/** True while a question or a panel stands before the page: keys are meant for it. */
const isCovered = (): boolean =>
  [...document.querySelectorAll('[role=dialog], [role=alertdialog]')].some(one => one.checkVisibility?.() ?? true)

/** Whether a key is meant for the page: not for a field, a panel before it or the browser, and not held down. */
export const meantForPage = (event: KeyboardEvent): boolean =>
  !(
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    event.repeat ||
    (event.target as HTMLElement).closest?.('input, textarea, [contenteditable=true]') ||
    isCovered()
  )
