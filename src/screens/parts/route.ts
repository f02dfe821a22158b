import type { ComponentType } from 'react'

/** One page made by hand. */
export interface PageRoute {
  /** Address, with `:params`. */
  readonly path: string
  /** Title of the tab and the document; Chinese, the translation key. */
  readonly title: string
  /** The page's module; its default export is the component. */
  readonly load: () => Promise<{ default: ComponentType }>
  /**
   * `public` needs no token; `signed-in` any session; `menu` (the default) a path in the person's menu tree.
   */
  readonly access?: 'public' | 'signed-in' | 'menu'
  /**
   * The entry of the menu that the page belongs to, where the menu does not list the page itself. Where `access` is `menu` that
   * entry must be in the person's menu tree.
   */
  readonly menu?: string
  /** `bare`: without top bar, sidebar or tabs. */
  readonly frame?: 'bare'
  /** Only for these people; two pages may share a path with different audiences. */
  readonly audience?: 'staff' | 'candidate'
  /** It shows the generated list of this address, without filters of its own: its rows may come before it. */
  readonly isList?: true
  /** Not remembered as a tab. */
  readonly untabbed?: true
  /** All its addresses share one tab: of pages gone through one after the other only the last stays open. */
  readonly oneTab?: true
  /** It has a heading of its own; others get their title as one, above them. */
  readonly heading?: 'own'
}
