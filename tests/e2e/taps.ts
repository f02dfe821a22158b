import type { BrowserContext } from '@playwright/test'

/**
 * Runs in the page: calls back with the taps that somebody with a phone needs for what is done. A text is typed after a tap on its
 * field, a choice opens and is made, a picture is chosen among those of the phone.
 */
function listen(): void {
  const tell = (taps: number): void => void (window as unknown as { tapped(taps: number): Promise<void> }).tapped(taps)
  let touched: EventTarget | null = null
  const press = ({ target }: Event): void => {
    touched = target
    tell(1)
  }
  const change = ({ target }: Event): void => {
    const { type } = target as HTMLInputElement | HTMLSelectElement
    if (/^(select-one|month|date)$/.test(type)) tell(2)
    else if (!/^(checkbox|radio|range)$/.test(type) && target !== touched) tell(1)
  }
  addEventListener('pointerdown', press, { capture: true, passive: true })
  addEventListener('change', change, { capture: true, passive: true })
}

/**
 * Counts from now on what is done on the pages of a context, as taps on a phone.
 * @returns how many those were since it was asked last
 */
export async function tapsOn(context: BrowserContext): Promise<() => number> {
  let taps = 0
  await context.exposeFunction('tapped', (more: number) => {
    taps += more
  })
  await context.addInitScript(listen)
  return () => {
    const count = taps
    taps = 0
    return count
  }
}
