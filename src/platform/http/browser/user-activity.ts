/** Milliseconds after the last sign of a person in which what the page asks counts as asked by somebody. */
const WHILE = 120_000

/** What only somebody who is there does to a page. */
const SIGNS = ['pointerdown', 'pointermove', 'wheel', 'keydown', 'input', 'click'] as const

// Opening the page is the first sign.
let last = Date.now()

function sign(): void {
  last = Date.now()
}

for (const name of SIGNS) addEventListener(name, sign, { capture: true, passive: true })
document.addEventListener('visibilitychange', () => document.hidden || sign())

/**
 * Whether somebody has been at this page just now. Pages ask again and again by themselves; without a person that must
 * not keep a session alive.
 */
export function isAttended(): boolean {
  return Date.now() - last < WHILE
}
