import { catalogue, workspaces } from 'virtual:catalogue'
import { loadPart } from '../window/lazy-page.ts'
import { lastPlace } from './current.ts'
import { placeAddress } from './place.ts'

/**
 * Where an entry of the menu leads whose page stands in a workspace that somebody was in: to that page there.
 * @param path of the entry
 */
export async function wayTo(path: string): Promise<string> {
  for (const { name, load } of workspaces) {
    const id = lastPlace(name)
    if (!id) continue
    const workspace = (await loadPart(load)).default
    const page = workspace.pages.find(one => {
      if ('list' in one) return catalogue.find(listed => listed.name === one.list)?.screen === path
      return 'page' in one && one.page === path && one.apart === null
    })
    if (page) return placeAddress({ workspace, id }, page.name)
  }
  return path
}
