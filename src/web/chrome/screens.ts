import { useEffect, useState } from 'react'
import type { Resource } from '#engine'
import { loadPart } from './lazy-page.ts'

/** A generated screen: its resource, at an address. */
export interface Screen {
  path: string
  resource: Resource
}

async function table(): Promise<Map<string, Screen>> {
  const { modules } = await import('#resources')
  const screens = modules.flatMap(module =>
    module.resources.map(resource => ({ path: resource.route ?? `${module.path}/${resource.name}`, resource })),
  )
  return new Map(screens.map(screen => [screen.path, screen]))
}

let loading: Promise<Map<string, Screen>> | undefined

/** The generated screens by address. Loaded when first asked for: only staff ever need them. */
export function screens(): Promise<Map<string, Screen>> {
  loading ??= loadPart(table).catch(error => {
    loading = undefined
    throw error
  })
  return loading
}

/** The screen at an address: undefined while that is not known, null when there is none. */
export function useScreen(path: string): Screen | null | undefined {
  const [found, setFound] = useState<{ path: string; screen: Screen | null }>()
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    screens().then(all => setFound({ path, screen: all.get(path) ?? null }), setError)
  }, [path])
  if (error) throw error
  return found?.path === path ? found.screen : undefined
}
