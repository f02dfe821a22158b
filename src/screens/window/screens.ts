import { useEffect, useState } from 'react'
import type { Resource } from '#engine'
import { askFirst } from '../providers/early-answers.ts'
import { drawNow, loadPart } from './lazy-page.ts'

/** A generated screen: its resource, at an address. */
export interface Screen {
  path: string
  resource: Resource
}

/** Definitions that have been asked for, by the name of their resource. */
const loading = new Map<string, Promise<Resource>>()

type Catalogue = typeof import('virtual:catalogue')

/** What is known of all resources. Loaded when first asked for: only staff ever need it. */
const loadCatalogue = (): Promise<Catalogue> => loadPart(() => import('virtual:catalogue'))

/** The definition of a resource. */
export async function definitionOf(name: string, from?: Catalogue): Promise<Resource> {
  const { loaders } = from ?? (await loadCatalogue())
  const load = loaders[name]
  if (!load) throw new Error(`No resource is called "${name}"`)
  const known = loading.get(name) ?? loadPart(load).then(module => module.default)
  loading.set(name, known)
  known.catch(() => loading.delete(name))
  return known
}

/** Addresses that were looked at: a page that is here is drawn at once. */
const known = new Map<string, Screen | null>()

/** The generated screen at an address; null when there is none. */
export async function screenAt(path: string): Promise<Screen | null> {
  const all = await loadCatalogue()
  const listed = all.catalogue.find(({ screen }) => screen === path)
  const found = listed ? { path, resource: await definitionOf(listed.name, all) } : null
  known.set(path, found)
  return found
}

/** Asks for the first page of the generated list at an address, as the list itself does when it is opened there. */
export async function askFirstPage(path: string): Promise<void> {
  const { catalogue } = await loadCatalogue()
  const listed = catalogue.find(({ screen }) => screen === path)
  if (listed && !listed.isView) askFirst(listed)
}

/** The screen at an address: undefined while that is not known, null when there is none. */
export function useScreen(path: string): Screen | null | undefined {
  const [, draw] = useState(0)
  const [error, setError] = useState<unknown>()
  const found = known.get(path)
  useEffect(() => {
    if (found === undefined) screenAt(path).then(() => drawNow(() => draw(times => times + 1)), setError)
  }, [path, found])
  if (error) throw error
  return found
}
