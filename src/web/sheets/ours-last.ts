import type { Plugin } from 'postcss'

/** Within these a selector is a moment of a movement. */
const isMoment = (parent: unknown): boolean => /keyframes$/.test((parent as { name?: string } | undefined)?.name ?? '')

/** A selector that counts for a little more: by an element, which is less than any class. */
function heavier(selector: string): string {
  if (/^html\b/.test(selector)) return selector
  if (/^:root/.test(selector)) return `html${selector}`
  // The root may carry the attribute itself, as pages in a frame do: nothing may be asked to stand above it.
  if (selector.startsWith('[')) return `:not(x)${selector}`
  return `html ${selector}`
}

/**
 * Lets our style sheets decide where antd's say something of the same weight, whichever of them came first: a component's sheet
 * comes when it is needed.
 * @param isOurs tells our files
 */
export function oursLast(isOurs: (file: string) => boolean): Plugin {
  return {
    postcssPlugin: 'ours-last',
    Rule(rule, { result }) {
      const done = rule as typeof rule & { isHeavier?: boolean }
      if (done.isHeavier || isMoment(rule.parent) || !isOurs(result.opts.from ?? '')) return
      done.isHeavier = true
      rule.selectors = rule.selectors.map(heavier)
    },
  }
}
