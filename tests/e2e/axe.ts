import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** The levels A and AA of WCAG 2.2. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** What axe puts into a page. */
interface Axe {
  run(part: string | Document, options: object): ReturnType<AxeBuilder['analyze']>
}

/**
 * What keeps somebody from using the page that is open (serious and critical findings of axe), in words.
 * @param within selector of the part looked at; else all of it
 * @param rules names of the only rules that are of concern; else all of the levels
 */
export async function barriers(page: Page, within?: string, rules?: readonly string[]): Promise<string[]> {
  // A first look brings half a megabyte into the page; as long as the page stays, the next ones find it there.
  const isNew = await page.evaluate(() => !('axe' in window))
  if (isNew) await new AxeBuilder({ page }).setLegacyMode().withRules('html-has-lang').analyze()
  return page.evaluate(
    async ([part, runOnly]) => {
      const { axe } = window as unknown as { axe: Axe }
      const options = { resultTypes: ['violations'], preload: false }
      const { violations } = await axe.run(part ?? document, { runOnly, ...options })
      const met = violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) => nodes.map(node => ({ id, ...node })))
      /** A bar that stays at the edge of the window covers what is scrolled behind it: what is too small is so in the middle, too. */
      const isSmall = async (selector: string): Promise<boolean> => {
        document.querySelector(selector)?.scrollIntoView({ block: 'center', behavior: 'instant' })
        return (await axe.run(selector, { runOnly: ['target-size'], ...options })).violations.length > 0
      }
      const real: typeof met = []
      for (const one of met) if (one.id !== 'target-size' || (await isSmall(String(one.target[0])))) real.push(one)
      return real.map(
        ({ id, html, failureSummary = '' }) => `${id}: ${html.slice(0, 200)} ${failureSummary.replace(/\s+/g, ' ')}`,
      )
    },
    [within, rules ?? tags] as const,
  )
}
