import type { BrowserContext } from '@playwright/test'
import { english } from '../helper/english.ts'

/**
 * Runs in the page: calls back with every Chinese text that is shown once the page speaks English, each once. Rows of tables and
 * who is signed in are data and keep their language, as do the names of languages.
 */
function listen(): void {
  const han = /\p{Script=Han}/u
  const told = new Set<string>()
  const tell = (text: string | null): void => {
    const plain = text?.trim() ?? ''
    if (!han.test(plain) || told.has(plain) || plain === '中文') return
    told.add(plain)
    void (window as unknown as { chineseMet(text: string): Promise<void> }).chineseMet(plain)
  }
  const data = 'script, style, noscript, td, header'
  const look = (): void => {
    if (document.documentElement.lang !== 'en') return
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (node.parentElement?.closest(data)) continue
      if (node.parentElement?.checkVisibility()) tell(node.nodeValue)
    }
    // What stands there before the application starts knows no language.
    for (const one of document.querySelectorAll(':not(.starting):is([placeholder], [aria-label], [title])'))
      for (const name of ['placeholder', 'aria-label', 'title']) tell(one.getAttribute(name))
  }
  let isDue = false
  const soon = (): void => {
    if (isDue) return
    isDue = true
    setTimeout(() => {
      isDue = false
      look()
    }, 100)
  }
  // The sign-in page is where people choose their language; a page speaks none before it has started.
  if (location.pathname.startsWith('/login')) return
  const what = { childList: true, characterData: true, subtree: true, attributes: true }
  new MutationObserver(soon).observe(document, what)
}

/**
 * Listens to what the pages of a context show from now on, for people who have chosen English.
 * @returns the texts met in Chinese although they have English; data, such as names, have none
 */
export async function chineseMet(context: BrowserContext): Promise<() => string[]> {
  const met = new Set<string>()
  await context.exposeFunction('chineseMet', (text: string) => void met.add(text))
  await context.addInitScript(listen)
  return () => [...met].filter(text => english[text] !== undefined)
}
