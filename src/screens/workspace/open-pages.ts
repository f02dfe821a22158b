import { catalogue } from 'virtual:catalogue'
import type { PageOfWorkspace, Workspace } from '#engine'
import type { PageRoute } from '../parts/route.ts'
import type { Rights } from '../providers/rights.ts'

/** A page of a workspace that somebody may open. */
export interface OpenPage {
  readonly page: PageOfWorkspace
  /** In the words of the person's menu. */
  readonly title: string
  /** The entry of the menu that lets one in. */
  readonly menu: string
  /** What draws it, where it is made by hand. */
  readonly made?: PageRoute
  /** What shows the rows of its list another way. */
  readonly overview?: PageRoute
}

/** Address of the screen of a resource, without its definition. */
const screenOf = (name: string): string | undefined => catalogue.find(one => one.name === name)?.screen

/**
 * The pages of a workspace that somebody may open, in their order: whoever has one in the menu may open it here, too.
 * @param made the pages made by hand; one at the address of a list draws that list
 */
export function openPages(
  workspace: Workspace,
  { names, permissions }: Pick<Rights, 'names' | 'permissions'>,
  made: readonly PageRoute[],
): OpenPage[] {
  const own = screenOf(workspace.name) ?? ''
  return workspace.pages.flatMap((page): OpenPage[] => {
    if ('title' in page) return permissions[page.code] && names.has(own) ? [{ page, title: page.title, menu: own }] : []
    if ('page' in page && page.code !== null && !permissions[page.code]) return []
    const path = 'list' in page ? screenOf(page.list) : page.page
    const by = made.find(one => one.path === path)
    const menu = by?.menu ?? path ?? ''
    const overview = 'list' in page ? made.find(one => one.path === page.overview) : undefined
    const title = names.get(path ?? '') ?? by?.title ?? names.get(menu) ?? ''
    return names.has(menu) ? [{ page, title, menu, ...(by && { made: by }), ...(overview && { overview }) }] : []
  })
}
