/** What somebody types into. Searches are no loss. */
const EDITABLE = 'input, textarea, select, [contenteditable=true]'
const SEARCH = 'search, [role=search], [type=search], [data-unkept]'

const touched = new Set<Element>()

function note({ target }: Event): void {
  const place = target instanceof Element ? target.closest(EDITABLE) : null
  if (!place || place.closest(SEARCH)) return
  for (const one of touched) if (!one.isConnected) touched.delete(one)
  touched.add(place)
}

const isFilled = (place: Element): boolean => {
  if (place instanceof HTMLInputElement && /^(checkbox|radio)$/.test(place.type)) return true
  return (('value' in place ? String(place.value) : place.textContent) ?? '').trim() !== ''
}

for (const name of ['input', 'change'] as const) addEventListener(name, note, { capture: true, passive: true })

/**
 * True while a page, shown or kept behind another one, holds what somebody has typed into it. What a form held is gone
 * with the form. A form that stays after it has been saved counts, too: asking once too often loses nothing.
 */
export const hasUnsaved = (): boolean => [...touched].some(place => place.isConnected && isFilled(place))
